using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>
/// Contains the moves of a gateway's tracked connections: the messages of the nodes, the losses of connections, and the reads that a lease renewal waits for.
/// </summary>
internal sealed partial class NearWorld
{
    // Returns the connection that carries a client's calls to a node.
    private int LinkOf(int client, int node) => _scenario.IsOneGateway ? client : (client * 2) + node;

    // Returns a connection of the client's gateway by its number, from 0.
    private int LinkOfGateway(int client, int number) => _scenario.IsOneGateway ? number : (client * 2) + number;

    private int GatewayOfLink(int link) => _scenario.IsOneGateway ? 0 : link / 2;

    private int NodeOfLink(int link) => _scenario.IsOneGateway ? 0 : link % 2;

    private void PushChange(ref World world, int node, int name, byte version)
    {
        for (int number = 0; number < 4; number++)
        {
            ref LinkPart link = ref world.Fleet.Links[number];
            if (NodeOfLink(number) == node && (link.Tracks >> name & 1) != 0)
            {
                link.Tracks &= (byte)~(1 << name);
                if (!link.Messages.TryAdd(LinkMessage.Changed(name, version)))
                {
                    throw new InvalidOperationException("a connection holds more than eight messages");
                }
            }
        }
    }

    private void AddHearing(in World world, int link, Moves<World> moves)
    {
        LinkPart part = world.Fleet.Links[link];
        for (int at = 0; at < part.Messages.Count; at++)
        {
            World next = world;
            LinkMessage message = next.Fleet.Links[link].Messages.RemoveAt(at);
            Hear(ref next, link, message);
            Add(ref next, moves, $"gateway {GatewayOfLink(link)} hears {message.Kind} {message.Argument} of node {NodeOfLink(link)}");
            if (Has(Safeguard.ChangesBeforeReplies) || message.Kind != LinkMessageKind.Changed)
            {
                return;
            }
        }
    }

    private void Hear(ref World world, int link, LinkMessage message)
    {
        switch (message.Kind)
        {
            case LinkMessageKind.Reply:
                ref Operation call = ref world.Operations[message.Argument];
                if (!Has(Safeguard.NoteBeforeAsking))
                {
                    Note(ref world, call);
                }

                call.Step = OperationStep.Read;
                break;
            case LinkMessageKind.Changed:
                Tell(ref world, GatewayOfLink(link), message);
                break;
            default:
                world.Streams[message.Argument].RenewNodes &= (byte)~(4 << (link % 2));
                break;
        }
    }

    private void Tell(ref World world, int gateway, LinkMessage message)
    {
        byte takes = _slots.Take(ref world.Slots[gateway], message.Argument);
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open && _scenario.GatewayOf(ClientOfStream(stream)) == gateway && (takes >> part.Number & 1) != 0)
            {
                _queues.Add(ref part.Queue, message.Argument);
                Raise(ref part.Notified[_scenario.Keys > 1 ? message.Argument : 0], message.Version);
            }
        }
    }

    private void AddLinkLoss(in World world, int link, Moves<World> moves)
    {
        World next = world;
        ref LinkPart part = ref next.Fleet.Links[link];
        if (part.IsLost)
        {
            part = default;
            if (Has(Safeguard.ClearOfLostLink))
            {
                ClearStreams(ref next, GatewayOfLink(link), told: default);
            }

            Add(ref next, moves, $"gateway {GatewayOfLink(link)} notices that its connection to node {NodeOfLink(link)} is lost, and has another");
        }
        else if (world.Fleet.LossesLeft > 0)
        {
            LoseMessages(ref next, link);
            part = default;
            part.IsLost = true;
            next.Fleet.LossesLeft--;
            moves.Rarely();
            Add(ref next, moves, $"the connection of gateway {GatewayOfLink(link)} to node {NodeOfLink(link)} is lost");
        }
    }

    // Discards the messages of a lost connection. If a reply was lost, the gateway sends the request again.
    private static void LoseMessages(ref World world, int link)
    {
        LinkPart lost = world.Fleet.Links[link];
        int number = link % 2;
        for (int at = 0; at < lost.Messages.Count; at++)
        {
            LinkMessage message = lost.Messages[at];
            if (message.Kind == LinkMessageKind.Reply)
            {
                ref Operation call = ref world.Operations[message.Argument];
                call.Step = OperationStep.Noted;
                call.Version = 0;
                call.Form = ValueForm.Small;
            }
            else if (message.Kind == LinkMessageKind.RenewReply)
            {
                ref StreamPart stream = ref world.Streams[message.Argument];
                stream.RenewNodes = (byte)((stream.RenewNodes & ~(4 << number)) | (1 << number));
            }
        }
    }

    // Adds the moves of a lease renewal at a gateway. The gateway reads from every node on the tracked connections, and answers the renewal when all nodes have
    // replied.
    private void AddFleetRenewal(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Renew == RenewStep.Sent)
        {
            World next = world;
            bool asks = Has(Safeguard.ReadBeforeRenewal);
            int nodes = asks ? (1 << _scenario.LinksOfGateway) - 1 : 0;
            next.Streams[stream].Renew = RenewStep.Read;
            next.Streams[stream].RenewNodes = (byte)(Has(Safeguard.AllNodesBeforeRenewal) ? nodes : nodes & 2);
            Add(ref next, moves, $"gateway {ClientOfStream(stream)}: the renew of stream {stream} is read");
            return;
        }

        for (int number = 0; number < _scenario.LinksOfGateway; number++)
        {
            AddRenewRead(world, stream, number, moves);
        }

        if (part.RenewNodes == 0)
        {
            World next = world;
            next.Streams[stream].Renew = RenewStep.Settled;
            if (Has(Safeguard.DirectoryBeforeRenewal))
            {
                ReceiveFlush(ref next, _scenario.GatewayOf(ClientOfStream(stream)));
            }

            Add(ref next, moves, $"gateway {ClientOfStream(stream)}: all nodes have answered the renew of stream {stream}");
        }
    }

    private void AddRenewRead(in World world, int stream, int number, Moves<World> moves)
    {
        World next = world;
        int client = ClientOfStream(stream);
        int link = LinkOfGateway(client, number);
        int node = NodeOfLink(link);
        ref StreamPart part = ref next.Streams[stream];
        if ((part.RenewNodes >> number & 1) == 0)
        {
            return;
        }

        // Once the gateway knows that a node has lost its slots, the gateway no longer asks that node.
        part.RenewNodes &= (byte)~(1 << number);
        if (node == 0 && _scenario.FailsOver && world.Fleet.Views[_scenario.GatewayOf(client)] == 1)
        {
            Add(ref next, moves, $"gateway {GatewayOfLink(link)}: node {node} need not answer the renew of stream {stream}: it has no slots");
            return;
        }

        part.RenewNodes |= (byte)(4 << number);
        bool isAnswered = !world.Fleet.Links[link].IsLost && (!Refuses(world, node) || !Has(Safeguard.ReadNotPing));
        if (isAnswered && next.Fleet.Links[link].Messages.TryAdd(LinkMessage.RenewReply(stream)))
        {
            Add(ref next, moves, $"node {node} answers the renew's read of stream {stream}");
        }
    }
}
