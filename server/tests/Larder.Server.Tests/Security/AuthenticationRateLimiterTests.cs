using System.Net;
using Larder.Harness.Clocks;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class AuthenticationRateLimiterTests
{
    private static readonly IPAddress Guest = IPAddress.Parse("192.0.2.1");
    private readonly ManualTime _time = new();
    private readonly AuthenticationRateLimiter _rateLimiter;

    public AuthenticationRateLimiterTests() => _rateLimiter = new AuthenticationRateLimiter(_time);

    [Fact]
    public void Address_is_blocked_after_maximum_failures_until_block_time_ends()
    {
        Fail(Guest, AuthenticationRateLimiter.MaxFailures - 1);
        Assert.False(_rateLimiter.IsBlocked(Guest));
        Assert.True(_rateLimiter.Failed(Guest));
        Assert.True(_rateLimiter.IsBlocked(Guest));
        Assert.False(_rateLimiter.IsBlocked(IPAddress.Parse("192.0.2.2")));
        // Further failures neither extend the block nor cause further log messages.
        Fail(Guest, 1000);
        _time.Advance(AuthenticationRateLimiter.BlockTime - TimeSpan.FromTicks(1));
        Assert.True(_rateLimiter.IsBlocked(Guest));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.False(_rateLimiter.IsBlocked(Guest));
        Fail(Guest, AuthenticationRateLimiter.MaxFailures - 1);
        Assert.True(_rateLimiter.Failed(Guest));
    }

    [Fact]
    public void Failures_of_an_earlier_window_do_not_count()
    {
        Fail(Guest, AuthenticationRateLimiter.MaxFailures - 1);
        _time.Advance(AuthenticationRateLimiter.Window);
        Fail(Guest, AuthenticationRateLimiter.MaxFailures - 1);
        Assert.False(_rateLimiter.IsBlocked(Guest));
    }

    [Fact]
    public void Addresses_share_a_limit_per_64_bit_network()
    {
        for (int host = 0; host < AuthenticationRateLimiter.MaxFailures; host++)
        {
            _rateLimiter.Failed(IPAddress.Parse($"2001:db8::{host:x}"));
            _rateLimiter.Failed(host % 2 == 0 ? Guest : Guest.MapToIPv6());
        }

        Assert.True(_rateLimiter.IsBlocked(IPAddress.Parse("2001:db8::ffff")));
        Assert.False(_rateLimiter.IsBlocked(IPAddress.Parse("2001:db8:0:1::1")));
        Assert.True(_rateLimiter.IsBlocked(Guest.MapToIPv6()));
        Assert.True(_rateLimiter.IsBlocked(Guest));
    }

    [Fact]
    public void Number_of_tracked_addresses_is_limited_and_oldest_is_forgotten()
    {
        Fail(Guest, AuthenticationRateLimiter.MaxFailures - 1);
        for (int address = 0; address < 3 * AuthenticationRateLimiter.MaxAddresses; address++)
        {
            _rateLimiter.Failed(new IPAddress(address + 1));
        }

        Assert.Equal(AuthenticationRateLimiter.MaxAddresses, _rateLimiter.Addresses);
        Assert.False(_rateLimiter.Failed(Guest));
        Assert.False(_rateLimiter.IsBlocked(Guest));
    }

    [Fact]
    public void Unknown_address_is_never_blocked()
    {
        for (int failure = 0; failure < 1000; failure++)
        {
            Assert.False(_rateLimiter.Failed(null));
        }

        Assert.False(_rateLimiter.IsBlocked(null));
    }

    private void Fail(IPAddress address, int times)
    {
        for (int failure = 0; failure < times; failure++)
        {
            Assert.False(_rateLimiter.Failed(address));
        }
    }
}
