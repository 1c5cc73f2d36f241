namespace Larder.Tuner.Processes;

/// <summary>Reads a server's <c>/stats</c>.</summary>
internal sealed class StatsPage(Uri address) : IDisposable
{
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(5) };

    /// <summary>The page now; null when the console does not answer.</summary>
    public async Task<ServerStats?> ReadAsync()
    {
        try
        {
            return ServerStats.Parse(await _http.GetStringAsync(address).ConfigureAwait(false));
        }
        catch (Exception unreachable) when (unreachable is HttpRequestException or TaskCanceledException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();
}
