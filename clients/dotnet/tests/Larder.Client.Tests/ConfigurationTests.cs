namespace Larder.Client.Tests;

public sealed class ConfigurationTests
{
    [Fact]
    public void The_frozen_versions_are_what_names_md_says()
    {
        AssertIs(Configurations.Laptop.V1(), 5_000, 200, 2);
        AssertIs(Configurations.InRegion.Default.V1(), 1_100, 200, 2);
        AssertIs(Configurations.InRegion.LowLatency.V1(), 500, 25, 1);
        AssertIs(Configurations.Lambda.V1(), 1_100, 100, 1);
        Assert.True(Configurations.Lambda.V1().EagerConnect);
        Assert.Null(Configurations.Lambda.V1().KeepalivePingDelay);
    }

    [Fact]
    public void The_pipelined_caps_are_those_of_the_runs_through_the_delay_proxy() => Assert.Equal(
        [1_000, 2_500, 1_000, 2_500],
        new[] { Configurations.Laptop.V1(), Configurations.InRegion.Default.V1(), Configurations.InRegion.LowLatency.V1(), Configurations.Lambda.V1() }.Select(configuration => configuration.MaxInFlightPipelined));

    [Fact]
    public void Every_configuration_is_valid()
    {
        Configuration[] all = [Configurations.Laptop.Latest(), Configurations.InRegion.Default.Latest(), Configurations.InRegion.LowLatency.Latest(), Configurations.Lambda.Latest(), new()];
        Assert.All(all, configuration => configuration.Validate());
    }

    [Fact]
    public void A_changed_copy_keeps_every_other_setting()
    {
        Configuration changed = Configurations.InRegion.LowLatency.V1() with { MaxRetries = 0 };
        Assert.Equal(Configurations.InRegion.LowLatency.V1(), changed with { MaxRetries = 3 });
    }

    [Fact]
    public void A_setting_out_of_range_is_named()
    {
        Configuration good = Configurations.Laptop.V1();
        AssertNamed(good with { RequestTimeout = TimeSpan.Zero }, nameof(Configuration.RequestTimeout));
        AssertNamed(good with { MaxInFlight = 0 }, nameof(Configuration.MaxInFlight));
        AssertNamed(good with { MaxInFlightPipelined = 100_001 }, nameof(Configuration.MaxInFlightPipelined));
        AssertNamed(good with { AdaptiveTarget = TimeSpan.Zero }, nameof(Configuration.AdaptiveTarget));
        AssertNamed(good with { AdaptiveTarget = TimeSpan.FromSeconds(6) }, nameof(Configuration.AdaptiveTarget));
        AssertNamed(good with { QueueLimit = -1 }, nameof(Configuration.QueueLimit));
        AssertNamed(good with { Channels = 101 }, nameof(Configuration.Channels));
        AssertNamed(good with { MaxRetries = 11 }, nameof(Configuration.MaxRetries));
        AssertNamed(good with { RetryBudget = 1.1 }, nameof(Configuration.RetryBudget));
        AssertNamed(good with { InitialBackOff = TimeSpan.Zero }, nameof(Configuration.InitialBackOff));
        AssertNamed(good with { MaxBackOff = TimeSpan.FromMilliseconds(1) }, nameof(Configuration.MaxBackOff));
        AssertNamed(good with { KeepalivePingDelay = TimeSpan.Zero }, nameof(Configuration.KeepalivePingDelay));
        AssertNamed(good with { KeepalivePingTimeout = TimeSpan.Zero }, nameof(Configuration.KeepalivePingTimeout));
        AssertNamed(good with { ConnectTimeout = TimeSpan.Zero }, nameof(Configuration.ConnectTimeout));
        AssertNamed(good with { Transport = (Transport)7 }, nameof(Configuration.Transport));
        (good with { MaxInFlight = Configuration.Unlimited }).Validate();
    }

    private static void AssertIs(Configuration configuration, int deadlineMs, int inFlight, int channels)
    {
        Assert.Equal(TimeSpan.FromMilliseconds(deadlineMs), configuration.RequestTimeout);
        Assert.Equal((inFlight, channels, 3, 20_000), (configuration.MaxInFlight, configuration.EffectiveChannels, configuration.MaxRetries, configuration.QueueLimit));
    }

    private static void AssertNamed(Configuration configuration, string setting) =>
        Assert.Equal(setting, Assert.Throws<ArgumentOutOfRangeException>(configuration.Validate).ParamName);
}
