namespace Larder.Tuner.Processes;

/// <summary>A server that clients are driven against.</summary>
internal interface IBackend : IAsyncDisposable
{
    /// <summary><c>host:port</c>.</summary>
    string Endpoint { get; }

    /// <summary>Its process, when it runs here; null when it is elsewhere.</summary>
    int? ProcessId { get; }

    /// <summary>The processes of <c>redis-server</c> that hold its data, where they run here and are measured with it; none by default.</summary>
    IReadOnlyList<int> StoreProcesses => [];

    /// <summary>What it says of itself now; null when it does not say.</summary>
    Task<ServerStats?> StatsAsync();
}
