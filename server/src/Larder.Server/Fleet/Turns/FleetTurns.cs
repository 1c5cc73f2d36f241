using System.Collections.Concurrent;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>Delays potentially slow commands until it is their turn on their node (FLEET-18).</summary>
/// <param name="store">The cluster.</param>
/// <param name="time">The server's clock.</param>
internal sealed class FleetTurns(RedisStore store, TimeProvider time) : IDisposable
{
    // Contains a sender for each endpoint that has ever been a master. Senders are not removed.
    private readonly ConcurrentDictionary<RedisEndPoint, NodeTurnSender> _nodes = new();

    /// <summary>Gets two numbers for all nodes together: the waiting commands, and the outstanding heavy commands.</summary>
    public (int Waiting, int RunningHeavy) Figures
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

    /// <summary>Sends a command when it is its turn. If its slot has no master, the command is sent immediately, and the store handles this case.</summary>
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
