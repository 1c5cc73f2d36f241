using Larder.Wire;

namespace Larder.Server.Metrics;

/// <summary>How many connections each client has open, by what their first call says; past <see cref="MaxClients"/> names, the rest together.</summary>
internal sealed class ClientConnections
{
    /// <summary>Names that are told apart at one time: callers choose them.</summary>
    public const int MaxClients = 64;

    private static readonly ClientName s_other = new("other", "");

    private readonly Lock _lock = new();
    private readonly Dictionary<ClientName, int> _open = [];

    /// <summary>Counts the connection of a first call.</summary>
    /// <returns>What <see cref="Close"/> is told when it ends.</returns>
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

    /// <summary>A connection ended.</summary>
    /// <param name="tag">What <see cref="Open"/> said; null where it had no call.</param>
    public void Close(object? tag)
    {
        if (tag is not ClientName client)
        {
            return;
        }

        lock (_lock)
        {
            // A name that nobody has any more makes room for another.
            if (--_open[client] == 0)
            {
                _open.Remove(client);
            }
        }
    }

    /// <summary>The clients with their connections, most first.</summary>
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
