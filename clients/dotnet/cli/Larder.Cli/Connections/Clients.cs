using Larder.Client;

namespace Larder.Cli;

/// <summary>The clients that commands have opened: a shell's commands to one server share one.</summary>
internal sealed class Clients : IAsyncDisposable
{
    private static readonly TimeSpan DefaultTtl = TimeSpan.FromHours(1);

    private readonly Dictionary<ClientKey, CacheClient> _open = [];

    /// <summary>Opens a client, or returns the one that is open.</summary>
    /// <param name="key">Identifies the client.</param>
    /// <param name="credentials">The server and the token.</param>
    /// <returns>The client, connected; or why not.</returns>
    public async Task<(CacheClient? Client, ICacheFailure? Failure)> OpenAsync(ClientKey key, CredentialProvider credentials)
    {
        if (!_open.TryGetValue(key, out CacheClient? client))
        {
            Configuration configuration = Configurations.Laptop.Latest() with { Transport = key.Transport, Channels = 1, RequestTimeout = key.Timeout };
            client = new(configuration, credentials, DefaultTtl);

            // A program waits for a server that restarts; who types a command wants to know that none is there.
            if (await client.ConnectAsync().ConfigureAwait(false) is PingResponse.Error error)
            {
                await client.DisposeAsync().ConfigureAwait(false);
                return (null, error);
            }

            _open.Add(key, client);
        }

        return (client, null);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (CacheClient client in _open.Values)
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }

        _open.Clear();
    }
}
