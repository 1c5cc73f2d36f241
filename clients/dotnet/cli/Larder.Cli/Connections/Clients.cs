using Larder.Client;

namespace Larder.Cli;

/// <summary>The open clients. In a shell, commands with the same connection options share one client.</summary>
internal sealed class Clients : IAsyncDisposable
{
    private static readonly TimeSpan DefaultTtl = TimeSpan.FromHours(1);

    private readonly Dictionary<ClientKey, CacheClient> _open = [];

    /// <summary>Opens a client, or returns the one that is already open.</summary>
    /// <param name="key">Identifies the client.</param>
    /// <param name="credentials">The server's address and the token.</param>
    /// <returns>The connected client, or the failure.</returns>
    public async Task<(CacheClient? Client, CacheError? Failure)> OpenAsync(ClientKey key, CredentialProvider credentials)
    {
        if (!_open.TryGetValue(key, out CacheClient? client))
        {
            Configuration configuration = Configurations.Laptop.Latest() with { Transport = key.Transport, Channels = 1, RequestTimeout = key.Timeout };
            client = new(configuration, credentials, DefaultTtl);

            // Connect before the first call, so that a command fails immediately if the server is unreachable. In an application, a call waits while a server
            // restarts, but a user who types a command should not have to wait for the error.
            if (await client.ConnectAsync().ConfigureAwait(false) is { Error: { } error })
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
