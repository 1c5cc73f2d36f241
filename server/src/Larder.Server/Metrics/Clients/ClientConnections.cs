using Larder.Wire;

namespace Larder.Server.Metrics;

/// <summary>
/// Counts the open connections per client. The first call of a connection contains the name of the client. At most <see cref="MaxClients"/> names are counted
/// separately. The connections with other names are counted together.
/// </summary>
internal sealed class ClientConnections
{
    /// <summary>The maximum number of names that are counted separately. There is a maximum because callers choose the names.</summary>
    public const int MaxClients = 64;

    private static readonly ClientName s_other = new("other", "");

    private readonly Lock _lock = new();
    private readonly Dictionary<ClientName, int> _open = [];

    /// <summary>Counts a connection, identified by its first call.</summary>
    /// <returns>The tag to pass to <see cref="Close"/> when the connection ends.</returns>
    public object Open(RpcRequestHeaders headers)
    {
        ClientName client = ClientName.Of(headers["agent"], headers["user-agent"]);
        lock (_lock)
        {
            client = _open.ContainsKey(client) || _open.Count < MaxClients ? client : s_other;
            _open[client] = _open.GetValueOrDefault(client) + 1;
        }

        return client;
    }

    /// <summary>Removes a connection that has ended.</summary>
    /// <param name="tag">The result of <see cref="Open"/>; null if there was no call on the connection.</param>
    public void Close(object? tag)
    {
        if (tag is not ClientName client)
        {
            return;
        }

        lock (_lock)
        {
            // A name without open connections is removed, so that another name can be counted separately.
            if (--_open[client] == 0)
            {
                _open.Remove(client);
            }
        }
    }

    /// <summary>Returns each client with its number of connections. The clients with the most connections come first.</summary>
    public IReadOnlyList<(ClientName Client, int Connections)> Read()
    {
        lock (_lock)
        {
            return
            [
                .. _open.OrderByDescending(pair => pair.Value)
                    .ThenBy(pair => pair.Key.Client, StringComparer.Ordinal)
                    .Select(pair => (pair.Key, pair.Value)),
            ];
        }
    }
}
