using System.Diagnostics;

namespace Larder.Conformance;

/// <summary>
/// The redis-servers that the servers of a run stand in front of, one or a cluster of three masters, as <c>./larder fleet</c> starts them: they end with the
/// runner.
/// </summary>
internal sealed class StoreServers : IAsyncDisposable
{
    // It ends with its input, and the fleet with it.
    private const string SaysTheStore = "echo \"$LARDER_STORE\"; exec cat";

    private readonly Process _fleet;

    private StoreServers(Process fleet, string url)
    {
        _fleet = fleet;
        Url = url;
    }

    /// <summary>The names that <c>--store</c> takes.</summary>
    public static IReadOnlyList<string> Names => ["memory", "redis", "redis-cluster"];

    /// <summary>What a server's <c>--store</c> is told.</summary>
    public string Url { get; }

    /// <summary>Starts the store of that name; null for <c>memory</c>, which is the server's own.</summary>
    /// <exception cref="InvalidOperationException">It did not start; standard error says why.</exception>
    public static async Task<StoreServers?> StartAsync(string name, string root)
    {
        if (name == "memory")
        {
            return null;
        }

        string tools = Path.Combine(root, "tools");
        string masters = name == "redis" ? "1" : "3";
        string[] words = ["-B", Path.Combine(tools, "fleet.d"), "--masters", masters, "--replicas", "0", "--fronts", "1", "--", "sh", "-c", SaysTheStore];
        Process fleet = Process.Start(
            new ProcessStartInfo(Path.Combine(tools, "python"), words) { RedirectStandardInput = true, RedirectStandardOutput = true })
            ?? throw new InvalidOperationException("the fleet did not start");
        string url = await fleet.StandardOutput.ReadLineAsync().ConfigureAwait(false)
            ?? throw new InvalidOperationException("the fleet ended while it started");
        return new StoreServers(fleet, url);
    }

    public async ValueTask DisposeAsync()
    {
        _fleet.StandardInput.Close();
        await _fleet.WaitForExitAsync().ConfigureAwait(false);
        _fleet.Dispose();
    }
}
