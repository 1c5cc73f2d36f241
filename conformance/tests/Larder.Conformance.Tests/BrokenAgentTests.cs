using System.Globalization;

namespace Larder.Conformance.Tests;

public sealed class BrokenAgentTests
{
    // The rules that the in-memory agent follows.
    private static readonly string[] s_rules =
    [
        "--rule",
        "GET-1",
        "--rule",
        "GET-4",
        "--rule",
        "GET-6",
        "--rule",
        "SET-1",
        "--rule",
        "DEL-1",
        "--rule",
        "DEL-3",
    ];

    private static async Task<(int Exit, string Output)> RunAsync(string broken)
    {
        string agent = Path.Combine(AppContext.BaseDirectory, "memory_agent.py");
        await using var output = new StringWriter(CultureInfo.InvariantCulture);
        string[] arguments = ["--endpoint", "127.0.0.1:1", "--transport", "unary", "--agent", $"memory=/usr/bin/python3 {agent} {broken}", .. s_rules];
        return (await Conformance.MainAsync(arguments, output), output.ToString());
    }

    [Fact]
    public async Task Agent_that_follows_every_rule_passes()
    {
        (int exit, string? output) = await RunAsync("");
        Assert.Equal(0, exit);
        Assert.Matches(@"\A\d+ passed, 0 failed\s*\z", output);
    }

    [Theory]
    [InlineData("GET-4")]
    [InlineData("DEL-1")]
    public async Task Run_fails_and_names_the_rule_that_the_agent_breaks(string rule)
    {
        (int exit, string? output) = await RunAsync(rule);
        Assert.Equal(1, exit);
        Assert.Contains($"FAIL {rule}", output, StringComparison.Ordinal);
        Assert.Contains($"broken rules: {rule}{Environment.NewLine}", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cases_fail_without_hanging_if_the_agent_exits()
    {
        (int exit, string? output) = await RunAsync("silence");
        Assert.Equal(1, exit);
        Assert.Contains("the memory agent: the process exited before it responded (exit code 3)", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unknown_command_line_option_is_rejected() =>
        Assert.Equal(2, await Conformance.MainAsync(["--nonsense", "1"], TextWriter.Null));
}
