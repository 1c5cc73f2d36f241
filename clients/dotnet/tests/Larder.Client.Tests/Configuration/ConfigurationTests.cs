namespace Larder.Client.Tests;

public sealed class ConfigurationTests
{
    private static readonly Configuration Good = Configurations.Laptop.V1();

    // The settings that have a range. For each setting, the first list contains configurations with values at both ends of the range. The values in the second
    // list are one step and far outside the range.
    private static readonly Dictionary<string, (Configuration[] Within, Configuration[] Beyond)> Ranges = new()
    {
        [nameof(Configuration.RequestTimeout)] = Times(Ms(1), TimeSpan.FromHours(1), static time => Good with { RequestTimeout = time }),
        [nameof(Configuration.MaxInFlightUnary)] = Caps(static cap => Good with { MaxInFlightUnary = cap }),
        [nameof(Configuration.MaxInFlightPipeline)] = Caps(static cap => Good with { MaxInFlightPipeline = cap }),
        [nameof(Configuration.AdaptiveTarget)] = Times(
            Ms(0.1), Good.RequestTimeout, static time => Good with { AdaptiveTarget = time }, Good with { AdaptiveTarget = null }),
        [nameof(Configuration.QueueLimit)] = Numbers(0, 1_000_000, static number => Good with { QueueLimit = number }),
        [nameof(Configuration.Channels)] = Numbers(0, 100, static number => Good with { Channels = number }),
        [nameof(Configuration.PipelineConnections)] = Numbers(0, 64, static number => Good with { PipelineConnections = number }),
        [nameof(Configuration.MaxRetries)] = Numbers(0, 10, static number => Good with { MaxRetries = number }),
        [nameof(Configuration.RetryBudget)] = (
            Each<double>([0, 1], static number => Good with { RetryBudget = number }),
            Each([-double.Epsilon, -1, Math.BitIncrement(1.0), 10, double.NaN, double.PositiveInfinity], static number => Good with { RetryBudget = number })),
        [nameof(Configuration.InitialBackOff)] = Times(
            Ms(1), TimeSpan.FromSeconds(10), static time => Good with { InitialBackOff = time, MaxBackOff = TimeSpan.FromMinutes(1) }),
        [nameof(Configuration.MaxBackOff)] = Times(Good.InitialBackOff, TimeSpan.FromMinutes(1), static time => Good with { MaxBackOff = time }),
        [nameof(Configuration.Transport)] = (
            Each([Transport.Auto, Transport.Unary, Transport.Pipeline], static transport => Good with { Transport = transport }),
            Each([(Transport)(-1), (Transport)3, (Transport)30], static transport => Good with { Transport = transport })),
        [nameof(Configuration.ConnectTimeout)] = Times(Ms(1), TimeSpan.FromMinutes(1), static time => Good with { ConnectTimeout = time }),
        [nameof(Configuration.KeepaliveInterval)] = Times(
            TimeSpan.FromSeconds(1), TimeSpan.FromHours(1), static time => Good with { KeepaliveInterval = time }, Good with { KeepaliveInterval = null }),
        [nameof(Configuration.KeepaliveTimeout)] = Times(
            TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1), static time => Good with { KeepaliveTimeout = time }),
        [nameof(Configuration.Headers)] = (
            [Good, WithHeader("a-z_0.9", " ~"), WithHeader("x", "")],
            [
                .. Each(["", "X-Name", "x name", "ü", "grpc-timeout", "x-bin", "te"], static name => WithHeader(name, "v")),
                .. Each(["cache", "authorization", "agent", "runtime-version", "user-agent"], static name => WithHeader(name, "v")),
                .. Each(["\n", "\u007f", "é", null!], static value => WithHeader("x", value)),
            ]),
        [nameof(Configuration.NearCache)] = (
            [
                Good with { NearCache = null },
                .. Each([1L << 10, 64L << 30], static bytes => WithNear(new NearCache { MaxBytes = bytes })),
                .. Each([Ms(1), TimeSpan.FromDays(365)], static age => WithNear(Near with { MaxAge = age })),
                .. Each([1, 1_000], static count => WithNear(Near with { Caches = Names(count), KeyPrefixes = [.. Names(count)] })),
                WithNear(Near with { KeyPrefixes = [new byte[] { 0 }] }),
            ],
            [
                .. Each([(1L << 10) - 1, 0, -1, long.MinValue, (64L << 30) + 1, long.MaxValue], static bytes => WithNear(new NearCache { MaxBytes = bytes })),
                .. Each([Ms(1) - new TimeSpan(1), TimeSpan.Zero, TimeSpan.FromDays(365) + new TimeSpan(1)], static age => WithNear(Near with { MaxAge = age })),
                .. Each([0, 1_001], static count => WithNear(Near with { Caches = Names(count) })),
                .. Each([0, 1_001], static count => WithNear(Near with { KeyPrefixes = [.. Names(count)] })),
                .. Each(["", " ", "é", null!], static name => WithNear(Near with { Caches = ["cache", name] })),
                .. Each(["", "\ud800", (string?)null], static prefix => WithNear(Near with { KeyPrefixes = ["key", prefix] })),
                WithNear(Near) with { Transport = Transport.Unary },
            ]),
    };

    public static TheoryData<string> Settings => [.. Ranges.Keys];

    [Theory]
    [MemberData(nameof(Settings))]
    public void Validate_accepts_range_limits_and_rejects_values_outside_the_range(string setting)
    {
        (Configuration[] within, Configuration[] beyond) = Ranges[setting];
        Assert.All(within, static one => one.Validate());
        Assert.All(beyond, one => Assert.Equal(setting, Assert.Throws<ArgumentOutOfRangeException>(one.Validate).ParamName));
    }

    [Fact]
    public void Every_setting_has_a_tested_range()
    {
        IEnumerable<string> settings = typeof(Configuration)
            .GetProperties()
            .Select(static property => property.Name)
            .Except([nameof(Configuration.EagerConnect)]);
        Assert.Equal(settings.Order(), Ranges.Keys.Order());
    }

    [Fact]
    public void Client_creation_validates_the_configuration()
    {
        Configuration bad = WithHeader("x", "secret\n");
        ArgumentException error = Assert.Throws<ArgumentOutOfRangeException>(
            nameof(Configuration.Headers), () => new CacheClient(bad, CredentialProvider.Local(), TimeSpan.FromMinutes(1)));
        Assert.DoesNotContain("secret", error.Message);
    }

    [Fact]
    public void Headers_are_copied_when_set_and_never_null()
    {
        Dictionary<string, string> headers = new() { ["a"] = "1" };
        Configuration made = Good with { Headers = headers };
        headers["A"] = "2";
        Assert.Equal(new Dictionary<string, string> { ["a"] = "1" }, made.Headers);
        Assert.Equal(nameof(Configuration.Headers), Assert.Throws<ArgumentNullException>(static () => Good with { Headers = null! }).ParamName);
    }

    [Fact]
    public void Near_cache_lists_are_copied_when_set()
    {
        List<string> caches = ["a"];
        byte[] prefix = [1];
        NearCache made = Near with { Caches = caches, KeyPrefixes = [prefix] };
        caches.Add("b");
        prefix[0] = 2;
        Assert.Equal(["a"], made.Caches!);
        Assert.Equal([(CacheBytes)new byte[] { 1 }], made.KeyPrefixes!);
    }

    [Fact]
    public void Prebuilt_configurations_match_the_specification()
    {
        AssertIs(Configurations.Laptop.V1(), 5_000, 200, 1_000, 2);
        AssertIs(Configurations.InRegion.Default.V1(), 1_100, 200, 2_500, 2);
        AssertIs(Configurations.InRegion.LowLatency.V1(), 500, 25, 1_000, 1);
        AssertIs(Configurations.Lambda.V1(), 1_100, 100, 2_500, 1);
        Assert.True(Configurations.Lambda.V1().EagerConnect);
        Assert.Null(Configurations.Lambda.V1().KeepaliveInterval);
    }

    [Fact]
    public void Every_prebuilt_configuration_is_valid()
    {
        Configuration[] all =
        [
            Configurations.Laptop.Latest(),
            Configurations.InRegion.Default.Latest(),
            Configurations.InRegion.LowLatency.Latest(),
            Configurations.Lambda.Latest(),
            new(),
        ];
        Assert.All(all, configuration => configuration.Validate());
    }

    [Fact]
    public void Configuration_copy_keeps_settings_that_are_not_changed()
    {
        Configuration changed = Configurations.InRegion.LowLatency.V1() with { MaxRetries = 0 };
        Assert.Equal(Configurations.InRegion.LowLatency.V1(), changed with { MaxRetries = 3 });
    }

    private static void AssertIs(Configuration configuration, int deadlineMs, int unary, int pipeline, int channels)
    {
        Assert.Equal(Ms(deadlineMs), configuration.RequestTimeout);
        Assert.Equal((unary, pipeline, channels), (configuration.MaxInFlightUnary, configuration.MaxInFlightPipeline, configuration.EffectiveChannels));
        Assert.Equal((3, 20_000), (configuration.MaxRetries, configuration.QueueLimit));
    }

    private static TimeSpan Ms(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private static NearCache Near => new() { MaxBytes = 1 << 20 };

    private static Configuration WithNear(NearCache near) => Good with { NearCache = near };

    private static string[] Names(int count) => [.. Enumerable.Range(0, count).Select(static number => $"name-{number}")];

    private static Configuration WithHeader(string name, string value) => Good with { Headers = new Dictionary<string, string> { [name] = value } };

    private static (Configuration[] Within, Configuration[] Beyond) Times(
        TimeSpan least, TimeSpan most, Func<TimeSpan, Configuration> made, params Configuration[] also)
    {
        TimeSpan tick = new(1);
        return (
            [.. Each([least, most], made), .. also],
            Each([least - tick, least / 10, TimeSpan.Zero, -most, most + tick, most * 10, TimeSpan.MaxValue], made));
    }

    private static (Configuration[] Within, Configuration[] Beyond) Caps(Func<int, Configuration> made)
    {
        (Configuration[] within, Configuration[] beyond) = Numbers(1, 100_000, made);
        return ([.. within, made(Configuration.Unlimited)], [.. beyond, made(Configuration.Unlimited - 1)]);
    }

    private static (Configuration[] Within, Configuration[] Beyond) Numbers(int least, int most, Func<int, Configuration> made) =>
        (Each([least, most], made), Each([least - 1, least - 10, int.MinValue, most + 1, most * 10], made));

    private static Configuration[] Each<T>(T[] values, Func<T, Configuration> made) => [.. values.Select(made)];
}
