using System.Collections.Concurrent;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>Sends the commands that may take long when it is their turn on their node (FLEET-18).</summary>
/// <param name="store">The cluster.</param>
/// <param name="time">The server's clock.</param>
internal sealed class FleetTurns(RedisStore store, TimeProvider time) : IDisposable
{
    // One for each node that was ever a master: as many as the store itself keeps.
    private readonly ConcurrentDictionary<RedisEndPoint, NodeTurnSender> _nodes = new();

    /// <summary>Commands that wait, of all nodes, and heavy commands under way.</summary>
    public (int Waiting, int HeavyUnderWay) Figures
    {
        get
        {
            (int waiting, int heavy) = (0, 0);
            foreach (NodeTurnSender node in _nodes.Values)
            {
                (int nodeWaiting, int nodeHeavy) = node.Figures;
                waiting += nodeWaiting;
                heavy += nodeHeavy;
            }

            return (waiting, heavy);
        }
    }

    /// <summary>Sends a command when it is its turn; at once where its slot has no master, since the store then decides what becomes of it.</summary>
    public void Send(RemoteCommand command)
    {
        if (store.MasterOf(command.Slot) is { } master)
        {
            _nodes.GetOrAdd(master, static (_, self) => self.NewNode(), this).Send(command);
        }
        else
        {
            command.SendNow(store);
        }
    }

    public void Dispose()
    {
        foreach (NodeTurnSender node in _nodes.Values)
        {
            node.Dispose();
        }
    }

    private NodeTurnSender NewNode() => new(store, time);
}
