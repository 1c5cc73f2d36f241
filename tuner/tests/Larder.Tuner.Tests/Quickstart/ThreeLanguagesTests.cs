using Larder.Harness.Processes;
using Larder.Tuner.Processes;
using Larder.Tuner.Quickstart;

namespace Larder.Tuner.Tests.Quickstart;

public sealed class ThreeLanguagesTests
{
    /// <summary>An agent that reports success for every operation, and returns the same value for every get.</summary>
    private const string Agent = """
        echo '{"ready":{"agent":"fake","protocol":1}}'
        while read -r line; do
          id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
          echo "{\"id\":$id,\"result\":\"success\",\"value\":\"what was set\"}"
        done
        """;

    private static readonly ProgramCommand s_agent = new("sh", "sh", "-c", Agent);

    [Fact]
    public async Task Client_in_each_language_reads_values_written_by_the_others()
    {
        await using ThreeLanguages languages = await ThreeLanguages.ConnectAsync("127.0.0.1:1", _ => s_agent);
        IReadOnlyList<string> lines = await languages.ShowAsync();
        Assert.Equal(3, lines.Count);
        Assert.EndsWith("Python reads \"what was set\", Node reads \"what was set\"", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("Node   sets hello-from-Node", lines[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Language_that_fails_to_start_is_skipped_with_reason()
    {
        ProgramCommand CommandOf(string client) => client switch
        {
            "dotnet" => s_agent,
            "python" => new ProgramCommand("sh", "sh", "-c", "echo \"ModuleNotFoundError: No module named 'grpc'\" >&2; exit 1"),
            _ => throw new TunerException("clients/node is not built: run npm ci"),
        };
        await using ThreeLanguages languages = await ThreeLanguages.ConnectAsync("127.0.0.1:1", CommandOf);
        IReadOnlyList<string> lines = await languages.ShowAsync();
        Assert.Equal(3, lines.Count);
        Assert.EndsWith("nobody else is here", lines[0], StringComparison.Ordinal);
        Assert.Equal("Python is skipped: ModuleNotFoundError: No module named 'grpc'", lines[1]);
        Assert.Equal("Node is skipped: clients/node is not built: run npm ci", lines[2]);
    }
}
