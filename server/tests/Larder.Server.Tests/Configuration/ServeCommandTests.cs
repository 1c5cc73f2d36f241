using Larder.Server.Configuration;

namespace Larder.Server.Tests.Configuration;

public sealed class ServeCommandTests
{
    [Theory]
    [InlineData("--port", "abc")]
    [InlineData("--max-streams", "1.5")]
    [InlineData("--host", "nowhere")]
    [InlineData("--memory", "much")]
    [InlineData("--max-ttl", "30")]
    [InlineData("--max-ttl", "30 days")]
    [InlineData("--console-host", "nowhere")]
    [InlineData("--log-format", "xml")]
    [InlineData("--log-format", "1")]
    [InlineData("--log-level", "loud")]
    [InlineData("--otlp", "nowhere")]
    [InlineData("--nonsense")]
    public async Task Serve_with_invalid_option_exits_with_code_2_without_starting(params string[] arguments)
    {
        bool served = false;
        int code = await new ServeCommand().RunAsync(arguments, (_, _) =>
        {
            served = true;
            return Task.FromResult(0);
        });
        Assert.Equal((2, false), (code, served));
    }

    [Fact]
    public async Task Error_for_invalid_number_shows_value_but_not_type_name()
    {
        ServeCommand command = new();
        string error = Assert.Single(command.Build((_, _) => Task.FromResult(0)).Parse(["--port", "abc"]).Errors).Message;
        Assert.Equal("--port must be a whole number, but is 'abc'", error);
        Assert.Equal(7, await command.RunAsync(["--port", "9000"], (options, _) => Task.FromResult(options.Port == 9000 ? 7 : 0)));
    }

    [Theory]
    [InlineData(8_081)]
    [InlineData(9_001, "--port", "9000")]
    [InlineData(9_100, "--port", "9000", "--console-port", "9100")]
    [InlineData(0, "--port", "9000", "--console-port", "0")]
    [InlineData(0, "--port", "0")]
    [InlineData(65_535, "--port", "65534")]
    [InlineData(0, "--port", "65535")]
    public async Task Console_port_is_the_data_port_plus_1_by_default(int expected, params string[] arguments)
    {
        int told = -1;
        await new ServeCommand().RunAsync(arguments, (options, _) =>
        {
            told = options.ConsolePort;
            return Task.FromResult(0);
        });
        Assert.Equal(expected, told);
    }

    [Fact]
    public async Task Topic_limits_are_set_by_their_options()
    {
        ServerOptions? told = null;
        string[] arguments = ["--max-topics", "7", "--max-topic-subscribers", "8", "--topic-heartbeat", "0.5s", "--max-near-streams", "9"];
        await new ServeCommand().RunAsync(arguments, (options, _) =>
        {
            told = options;
            return Task.FromResult(0);
        });
        Assert.Equal(
            (7, 8, TimeSpan.FromSeconds(0.5), 9),
            (told!.MaxTopicsPerCache, told.MaxTopicSubscribers, told.TopicHeartbeat, told.MaxNearStreams));
    }

    [Fact]
    public async Task Snapshot_option_sets_the_snapshot_path()
    {
        string? told = null;
        await new ServeCommand().RunAsync(["--snapshot", "a file"], (options, _) =>
        {
            told = options.SnapshotPath;
            return Task.FromResult(0);
        });
        Assert.Equal("a file", told);
    }

    [Theory]
    [InlineData("90s", 90)]
    [InlineData("1.5h", 5_400)]
    [InlineData("24h", 86_400)]
    [InlineData("30d", 2_592_000)]
    public async Task Max_TTL_option_accepts_a_number_with_unit(string text, int seconds)
    {
        TimeSpan told = default;
        await new ServeCommand().RunAsync(["--max-ttl", text], (options, _) =>
        {
            told = options.MaxTtl;
            return Task.FromResult(0);
        });
        Assert.Equal(TimeSpan.FromSeconds(seconds), told);
    }
}
