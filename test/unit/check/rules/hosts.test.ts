import { describe, expect, it } from 'vitest';
import { domainOf, hostOf, hostsOf, schemeOf } from '../../../../src/check/rules/hosts.ts';

describe('the host of an address', () => {
  it.each([
    ['https://Shop.dev/a', 'shop.dev'],
    ['//shop.dev', 'shop.dev'],
    // Browsers mend all of these.
    ['http:/shop.dev/a', 'shop.dev'],
    ['http:shop.dev/a', 'shop.dev'],
    ['\\\\shop.dev', 'shop.dev'],
    ['/\\shop.dev/$x', 'shop.dev'],
    ['https:/\t/shop.dev', 'shop.dev'],
    ['/\n/shop.dev', 'shop.dev'],
    ['\u0001 https://shop.dev', 'shop.dev'],
    ['https://example.com@shop.dev', 'shop.dev'],
    ['https://shop.dev.', 'shop.dev'],
    ['https://10.shop.dev', '10.shop.dev'],
    ['https://192.168.1.1.shop.dev', '192.168.1.1.shop.dev'],
    ['http://134744072', '8.8.8.8'],
    ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
    ['https://your-shop-login.com', 'your-shop-login.com'],
    ['https://yours.shop.dev', 'yours.shop.dev'],
    ['https://{a}.shop.dev', '*.shop.dev'],
    ['https://$.shop.dev', '$.shop.dev'],
    ['https://*.shop.dev', '*.shop.dev'],
  ])('%j is %s', (address, host) => {
    expect(hostOf(address)).toBe(host);
  });

  it.each([
    '/guides',
    'guides',
    '#part',
    '',
    'https://',
    'https://{host}/a',
    'https://api.<region>.{domain}/a',
    'https://10.1.2.3',
    'https://[::1]:80',
    'https://app.acme.com',
    'mailto:me@shop.dev',
    'vscode://shop.dev/x',
  ])('%j has none', (address) => {
    expect(hostOf(address)).toBeUndefined();
  });

  it('is that of every receiver of a mail', () => {
    expect(hostsOf('mailto:a@shop.dev,b@bank.dev?cc=c%40cafe.dev')).toEqual([
      'shop.dev',
      'bank.dev',
      'cafe.dev',
    ]);
  });
});

it('a domain is what somebody registered', () => {
  expect(domainOf('*.shop.dev')).toBe('shop.dev');
  expect(domainOf('a.shop.co.uk')).toBe('shop.co.uk');
  expect(domainOf('a.zendesk.com')).toBe('a.zendesk.com');
});

it('a scheme is one that opens a program', () => {
  expect(schemeOf('VSCODE:extension/a.b')).toBe('vscode:');
  expect(schemeOf('search-ms:x')).toBe('search-ms:');
  for (const address of ['https://a.dev', 'mailto:a@a.dev', 'tel:1', '/a', 'a/b:c', '#a:b']) {
    expect(schemeOf(address)).toBeUndefined();
  }
});
