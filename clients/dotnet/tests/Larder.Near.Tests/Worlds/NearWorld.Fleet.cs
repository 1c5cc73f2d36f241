using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>A fleet: what nodes do, what they say of it, and what fronts make of that.</summary>
internal sealed partial class NearWorld
{
    private static ref LinkPart LinkOf(ref World world, int front, int node) => ref world.Fleet.Links[(front * 2) + node];

    private static bool TryPut(ref LinkPart link, LinkMessage message)
    {
        if (link.Count == 8)
        {
            return false;
        }

        link.Messages[link.Count++] = message;
        return true;
    }

    /// <summary>A key's name at its node, by a number: with two keys it is the key, with one the generation.</summary>
    private int NameAt(int key, int generation) => _scenario.Keys > 1 ? key : generation;

    private static int NodeOf(in World world, int key) => key == 0 ? world.Fleet.Owner : 1;

    // Where a front looks for a key.
    private static int ViewOf(in World world, int front, int key) => key == 0 ? world.Fleet.Views[front] : 1;

    private static int GenerationOf(in World world, int front) => world.Fleet.Knowing >> front & 1;

    private void AddFleetMoves(in World world, Moves<World> moves)
    {
        for (int front = 0; front < 2; front++)
        {
            for (int node = 0; node < _scenario.Nodes && _scenario.HasNear(front); node++)
            {
                AddHearing(world, front, node, moves);
                AddLinkLoss(world, front, node, moves);
            }

            AddLearning(world, front, moves);
        }

        AddMove(world, moves);
        AddTakeOver(world, moves);
    }

    // A near get, once its front has noted it: the node reads, and will tell of the next change.
    private void AddAsking(in World world, int operation, Moves<World> moves)
    {
        Operation call = world.Operations[operation];
        int front = ClientOfOperation(operation);
        int node = ViewOf(world, front, call.Key);
        World next = world;
        ref LinkPart link = ref LinkOf(ref next, front, node);
        if (link.IsLost || Refuses(world, node))
        {
            return;
        }

        if (node != NodeOf(world, call.Key) && !world.Fleet.IsCutOff)
        {
            AddRedirect(world, operation, moves);
            return;
        }

        Read(ref next, operation);
        next.Operations[operation].Step = OperationStep.Asked;
        link.Tracks |= (byte)(1 << NameAt(call.Key, call.Takes));
        if (TryPut(ref link, LinkMessage.Reply(operation)))
        {
            Add(ref next, moves, $"node {node}: {NameOf(world, operation)} reads v{next.Operations[operation].Version}, and is tracked");
        }
    }

    // The node says that another has the slot. The front looks there: on its tracked connection, or on one that is not, and then gives no ticket.
    private void AddRedirect(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        int front = ClientOfOperation(operation);
        HearOfMove(ref next, front);
        Add(ref next, moves, $"front {front}: {NameOf(world, operation)} is redirected, and the streams are to clear");

        World aside = world;
        HearOfMove(ref aside, front);
        Read(ref aside, operation);
        aside.Operations[operation].Left = Has(Safeguard.TicketOfTrackedReply) ? NoTicket : (byte)0;
        Add(ref aside, moves, $"front {front}: {NameOf(world, operation)} is redirected, and reads v{aside.Operations[operation].Version} untracked");
    }

    private static bool Refuses(in World world, int node) => node == 0 && world.Fleet.IsRefusing;

    // What a front knows of the slots is new.
    private void HearOfMove(ref World world, int front)
    {
        world.Fleet.Views[front] = world.Fleet.Owner;
        if (Has(Safeguard.ClearOfMovedSlot))
        {
            ClearStreams(ref world, front, told: default);
        }
    }

    private void ClearStreams(ref World world, int front, Two<byte> told)
    {
        int first = front * Scenario.StreamsOfClient;
        for (int stream = first; stream < first + Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open)
            {
                _queues.AddClear(ref part.Queue);
                Raise(ref part.Told[0], told[0]);
            }
        }
    }

    // A write at the node: whoever is tracked is told on its connection.
    private void AddApplying(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        int front = ClientOfOperation(operation);
        bool isCutOff = world.Fleet.IsCutOff && world.Fleet.Views[front] == 0;
        if (isCutOff || world.Fleet.Generation != GenerationOf(world, front))
        {
            return;
        }

        Show(ref next, ref call, call.Key);
        PushChange(ref next, NodeOf(next, call.Key), NameAt(call.Key, next.Fleet.Generation), call.Version);
        string name = NameOf(world, operation);
        byte version = call.Version;
        LeaveServer(ref next, operation);
        Add(ref next, moves, $"the node has {name} as v{version}");
    }

    private static void PushChange(ref World world, int node, int name, byte version)
    {
        for (int front = 0; front < 2; front++)
        {
            ref LinkPart link = ref LinkOf(ref world, front, node);
            if ((link.Tracks >> name & 1) != 0)
            {
                link.Tracks &= (byte)~(1 << name);
                if (!TryPut(ref link, LinkMessage.Changed(name, version)))
                {
                    throw new InvalidOperationException("a connection holds more than eight messages");
                }
            }
        }
    }

    private void AddHearing(in World world, int front, int node, Moves<World> moves)
    {
        LinkPart link = world.Fleet.Links[(front * 2) + node];
        for (int at = 0; at < link.Count; at++)
        {
            World next = world;
            LinkMessage message = Remove(ref LinkOf(ref next, front, node), at);
            Hear(ref next, front, node, message);
            Add(ref next, moves, $"front {front} hears {message.Kind} {message.Argument} of node {node}");
            if (Has(Safeguard.ChangesBeforeReplies) || message.Kind != LinkMessageKind.Changed)
            {
                return;
            }
        }
    }

    private static LinkMessage Remove(ref LinkPart link, int at)
    {
        LinkMessage message = link.Messages[at];
        for (int i = at; i < link.Count - 1; i++)
        {
            link.Messages[i] = link.Messages[i + 1];
        }

        link.Messages[--link.Count] = default;
        return message;
    }

    private void Hear(ref World world, int front, int node, LinkMessage message)
    {
        switch (message.Kind)
        {
            case LinkMessageKind.Reply:
                ref Operation call = ref world.Operations[message.Argument];
                if (!Has(Safeguard.NoteBeforeReading))
                {
                    Note(ref world, call);
                }

                call.Step = OperationStep.Read;
                break;
            case LinkMessageKind.Changed:
                Tell(ref world, front, message);
                break;
            default:
                world.Streams[message.Argument].RenewNodes &= (byte)~(4 << node);
                break;
        }
    }

    private void Tell(ref World world, int front, LinkMessage message)
    {
        byte takes = _slots.Take(ref world.Slots[front], message.Argument);
        int first = front * Scenario.StreamsOfClient;
        for (int stream = first; stream < first + Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open && (takes >> part.Number & 1) != 0)
            {
                _queues.Add(ref part.Queue, message.Argument);
                Raise(ref part.Told[_scenario.Keys > 1 ? message.Argument : 0], message.Version);
            }
        }
    }

    private void AddLinkLoss(in World world, int front, int node, Moves<World> moves)
    {
        World next = world;
        ref LinkPart link = ref LinkOf(ref next, front, node);
        if (link.IsLost)
        {
            link = default;
            if (Has(Safeguard.ClearOfLostLink))
            {
                ClearStreams(ref next, front, told: default);
            }

            Add(ref next, moves, $"front {front} notices that its connection to node {node} is lost, and has another");
        }
        else if (world.Fleet.LossesLeft > 0)
        {
            LoseMessages(ref next, link, node);
            link = default;
            link.IsLost = true;
            next.Fleet.LossesLeft--;
            Add(ref next, moves, $"the connection of front {front} to node {node} is lost");
        }
    }

    // What was asked and not heard is asked again.
    private static void LoseMessages(ref World world, in LinkPart link, int node)
    {
        for (int at = 0; at < link.Count; at++)
        {
            LinkMessage message = link.Messages[at];
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
                stream.RenewNodes = (byte)((stream.RenewNodes & ~(4 << node)) | (1 << node));
            }
        }
    }

    // A renew that was read is answered once every node has answered a read on its tracked connection.
    private void AddFleetRenewal(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Renew == RenewStep.Sent)
        {
            World next = world;
            bool asks = Has(Safeguard.ReadBeforeRenewal);
            int nodes = asks ? (1 << _scenario.Nodes) - 1 : 0;
            next.Streams[stream].Renew = RenewStep.Read;
            next.Streams[stream].RenewNodes = (byte)(Has(Safeguard.AllNodesBeforeRenewal) ? nodes : nodes & 2);
            Add(ref next, moves, $"front {ClientOfStream(stream)}: the renew of stream {stream} is read");
            return;
        }

        for (int node = 0; node < _scenario.Nodes; node++)
        {
            AddRenewRead(world, stream, node, moves);
        }

        if (part.RenewNodes == 0)
        {
            World next = world;
            next.Streams[stream].Renew = RenewStep.Settled;
            Add(ref next, moves, $"front {ClientOfStream(stream)}: all nodes have answered the renew of stream {stream}");
        }
    }

    private void AddRenewRead(in World world, int stream, int node, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        ref LinkPart link = ref LinkOf(ref next, ClientOfStream(stream), node);
        if ((part.RenewNodes >> node & 1) == 0)
        {
            return;
        }

        // Who has lost its slots is asked no more, once that is known.
        bool isNoMaster = node == 0 && _scenario.FailsOver && world.Fleet.Views[ClientOfStream(stream)] == 1;
        part.RenewNodes &= (byte)~(1 << node);
        if (isNoMaster)
        {
            Add(ref next, moves, $"front {ClientOfStream(stream)}: node {node} need not answer the renew of stream {stream}: it has no slots");
        }
        else if (!link.IsLost && (!Refuses(world, node) || !Has(Safeguard.ReadNotPing)))
        {
            part.RenewNodes |= (byte)(4 << node);
            if (TryPut(ref link, LinkMessage.RenewReply(stream)))
            {
                Add(ref next, moves, $"node {node} answers the renew's read of stream {stream}");
            }
        }
    }

    // The first key's slot moves to the second node, which has the key from then on.
    private void AddMove(in World world, Moves<World> moves)
    {
        if (_scenario.Moves == SlotMove.None || world.Fleet.Owner == 1)
        {
            return;
        }

        World next = world;
        next.Fleet.Owner = 1;
        if (_scenario.Moves == SlotMove.Told)
        {
            PushChange(ref next, 0, NameAt(0, 0), 0);
        }

        for (int front = 0; front < 2; front++)
        {
            LinkOf(ref next, front, 0).Tracks &= 0b10;
        }

        Add(ref next, moves, $"the slot of k0 moves to node 1");
    }

    // The first node is cut off, and its replica, the second node here, takes its place.
    private void AddTakeOver(in World world, Moves<World> moves)
    {
        if (!_scenario.FailsOver)
        {
            return;
        }

        World next = world;
        if (world.Fleet.Owner == 0)
        {
            next.Fleet.Owner = 1;
            next.Fleet.Views[1] = 1;
            next.Fleet.IsCutOff = true;
            next.Fleet.CutOffVersion = world.Keys[0].Version;
            next.Fleet.CutOffForm = world.Keys[0].Form;
            Add(ref next, moves, $"node 0 is cut off with front 0, and node 1 takes its slots");
        }
        else if (world.Fleet.IsCutOff)
        {
            next.Fleet.IsCutOff = false;
            next.Fleet.IsRefusing = true;
            next.Fleet.CutOffVersion = 0;
            next.Fleet.CutOffForm = default;
            next.Keys[0].EndedAt[world.Fleet.EndedMeanwhile] = (byte)(world.Fleet.EndedMeanwhile == 0 ? 0 : world.Now + 1);
            next.Fleet.EndedMeanwhile = 0;
            Settle(ref next);
            Add(ref next, moves, $"node 0 notices, and answers no call on a key any more");
        }
    }

    // A front hears of a slot's move, or of a flush.
    private void AddLearning(in World world, int front, Moves<World> moves)
    {
        if (_scenario.HasNear(front) && world.Fleet.Views[front] != world.Fleet.Owner)
        {
            World next = world;
            HearOfMove(ref next, front);
            Add(ref next, moves, $"front {front} hears that the slot of k0 is at another node, and its streams are to clear");
        }

        if (world.Fleet.Generation == 1 && GenerationOf(world, front) == 0)
        {
            World next = world;
            next.Fleet.Knowing |= (byte)(1 << front);
            if (Has(Safeguard.ClearOfHeardFlush))
            {
                Two<byte> told = default;
                told[0] = (byte)(world.Fleet.OldVersion + 1);
                ClearStreams(ref next, front, told);
            }

            Add(ref next, moves, $"front {front} hears of the flush, and its streams are to clear");
        }
    }

    private void AddFleetFlushStep(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        if (call.Step == OperationStep.Sent && world.Fleet.Generation == 0)
        {
            next.Fleet.Generation = 1;
            next.Fleet.OldVersion = world.Keys[0].Version;
            Show(ref next, ref call, 0);
            call.Step = OperationStep.Visible;
            Add(ref next, moves, $"the nodes know of {NameOf(world, operation)}");
        }
        else if (call.Step == OperationStep.Visible && world.Fleet.Knowing == 3)
        {
            LeaveServer(ref next, operation);
            Add(ref next, moves, $"all fronts know of {NameOf(world, operation)}");
        }
        else if (call.Step == OperationStep.Told)
        {
            AddEnd(world, operation, moves);
        }
    }

    private void ReadAtNode(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        int front = ClientOfOperation(operation);
        FleetPart fleet = world.Fleet;
        KeyPart key = world.Keys[call.Key];
        int generation = call.IsNearGet ? call.Takes : GenerationOf(world, front);
        (call.Version, call.Form) = fleet.IsCutOff && call.Key == 0 && ViewOf(world, front, 0) == 0 ? (fleet.CutOffVersion, fleet.CutOffForm)
            : fleet.Generation > generation ? (fleet.OldVersion, ValueForm.Small)
            : (key.Version, key.Form);
    }
}
