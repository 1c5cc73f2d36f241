namespace Larder.Tuner.Processes;

/// <summary>A server that somebody else runs; its CPU is unknown, its <c>/stats</c> too unless a console was named.</summary>
internal sealed class RemoteServer(string endpoint, string? console) : IBackend
{
    private readonly StatsPage? _stats = console is null ? null : new StatsPage(new Uri($"http://{console}/stats"));

    /// <inheritdoc/>
    public string Endpoint { get; } = endpoint;

    /// <inheritdoc/>
    public int? ProcessId => null;

    /// <inheritdoc/>
    public Task<ServerStats?> StatsAsync() => _stats?.ReadAsync() ?? Task.FromResult<ServerStats?>(null);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _stats?.Dispose();
        return ValueTask.CompletedTask;
    }
}
