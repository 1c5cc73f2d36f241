using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// Opens connections without a token and keeps them open. Half of them send nothing. The other half send only the first bytes of the connection preface.
/// </summary>
internal sealed class SilentConnectionsAttack : IServerAttack
{
    /// <summary>
    /// The number of connections to the data port per attacker. Two attackers exceed the limit of a server with <c>--max-connections 300</c>.
    /// </summary>
    private const int DataConnections = 200;

    /// <summary>The number of connections to the console per attacker. The console allows 64.</summary>
    private const int ConsoleConnections = 40;

    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(100);

    /// <inheritdoc/>
    public string Name => "silent-connections";

    /// <inheritdoc/>
    public string Description => "400 silent connections to the data port and 80 to the console, reopened when they are closed";

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        var places = new List<(IPEndPoint Where, bool Greets, Socket? Held)>();
        places.AddRange(Enumerable.Range(0, DataConnections).Select(n => (target.Server, n % 2 == 0, (Socket?)null)));
        places.AddRange(target.Console is { } console ? Enumerable.Repeat((console, false, (Socket?)null), ConsoleConnections) : []);
        try
        {
            while (true)
            {
                for (int place = 0; place < places.Count; place++)
                {
                    (IPEndPoint where, bool greets, Socket? held) = places[place];
                    if (held is null || IsClosed(held))
                    {
                        held?.Dispose();
                        places[place] = (where, greets, await OpenAsync(where, greets, counts, stop).ConfigureAwait(false));
                    }
                }

                await Task.Delay(s_between, stop).ConfigureAwait(false);
            }
        }
        finally
        {
            places.ForEach(place => place.Held?.Dispose());
        }
    }

    private static async Task<Socket?> OpenAsync(IPEndPoint where, bool greets, AttackCounts counts, CancellationToken stop)
    {
        Socket? socket = null;
        try
        {
            socket = await AttackSocket.ConnectAsync(where, counts, stop).ConfigureAwait(false);
            if (greets)
            {
                await socket.SendAsync(AttackConnection.Opening(AttackConnection.FirstWindow), stop).ConfigureAwait(false);
            }

            return socket;
        }
        catch (SocketException)
        {
            counts.AddBroken();
            socket?.Dispose();
            return null;
        }
    }

    // A socket that is readable but has no bytes was closed by the server. Bytes from the server are discarded.
    private static bool IsClosed(Socket socket)
    {
        try
        {
            byte[] away = new byte[1_024];
            return socket.Poll(0, SelectMode.SelectRead) && (socket.Available == 0 || socket.Receive(away) == 0);
        }
        catch (SocketException)
        {
            return true;
        }
    }
}
