using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>A fleet: what nodes do, what they say of it, and what fronts make of that.</summary>
internal sealed partial class NearWorld
{
    // The connection on which a client's calls are asked of a node.
    private int LinkOf(int client, int node) => _scenario.IsOneFront ? client : (client * 2) + node;

    // The connections of a client's front, by their numbers from 0.
    private int LinkOfFront(int client, int number) => _scenario.IsOneFront ? number : (client * 2) + number;

    private int FrontOfLink(int link) => _scenario.IsOneFront ? 0 : link / 2;

    private int NodeOfLink(int link) => _scenario.IsOneFront ? 0 : link % 2;

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
        for (int client = 0; client < 2; client++)
        {
            for (int number = 0; number < _scenario.LinksOfFront && _scenario.HasNear(client) && (client == 0 || !_scenario.IsOneFront); number++)
            {
                int link = LinkOfFront(client, number);
                AddHearing(world, link, moves);
                AddLinkLoss(world, link, moves);
            }

            AddLearning(world, client, moves);
        }

        AddMove(world, moves);
        AddTakeOver(world, moves);
    }

    // A near get, once its front has noted it: the node reads, and will tell of the next change.
    private void AddAsking(in World world, int operation, Moves<World> moves)
    {
        Operation call = world.Operations[operation];
        int client = ClientOfOperation(operation);
        int node = ViewOf(world, _scenario.FrontOf(client), call.Key);
        World next = world;
        ref LinkPart link = ref next.Fleet.Links[LinkOf(client, node)];
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

    // The node says that another has the slot, or will have it and has the key. The front asks there on a connection that is not tracked, and gives no ticket;
    // or, where the slot has moved, once more.
    private void AddRedirect(in World world, int operation, Moves<World> moves)
    {
        int front = _scenario.FrontOf(ClientOfOperation(operation));
        World aside = world;
        if (!world.Fleet.IsMigrating)
        {
            World next = world;
            HearOfMove(ref next, front);
            Add(ref next, moves, $"front {front}: {NameOf(world, operation)} is redirected, and the streams are to clear");
            HearOfMove(ref aside, front);
        }

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
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open && _scenario.FrontOf(ClientOfStream(stream)) == front)
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
        int front = _scenario.FrontOf(ClientOfOperation(operation));
        bool isCutOff = world.Fleet.IsCutOff && world.Fleet.Views[front] == 0;
        bool isFlushing = world.Fleet.Generation == 1 && world.Fleet.Knowing != 3;
        if (isCutOff || isFlushing)
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

    private void PushChange(ref World world, int node, int name, byte version)
    {
        for (int number = 0; number < 4; number++)
        {
            ref LinkPart link = ref world.Fleet.Links[number];
            if (NodeOfLink(number) == node && (link.Tracks >> name & 1) != 0)
            {
                link.Tracks &= (byte)~(1 << name);
                if (!TryPut(ref link, LinkMessage.Changed(name, version)))
                {
                    throw new InvalidOperationException("a connection holds more than eight messages");
                }
            }
        }
    }

    private void AddHearing(in World world, int link, Moves<World> moves)
    {
        LinkPart part = world.Fleet.Links[link];
        for (int at = 0; at < part.Count; at++)
        {
            World next = world;
            LinkMessage message = Remove(ref next.Fleet.Links[link], at);
            Hear(ref next, link, message);
            Add(ref next, moves, $"front {FrontOfLink(link)} hears {message.Kind} {message.Argument} of node {NodeOfLink(link)}");
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
                Tell(ref world, FrontOfLink(link), message);
                break;
            default:
                world.Streams[message.Argument].RenewNodes &= (byte)~(4 << (link % 2));
                break;
        }
    }

    private void Tell(ref World world, int front, LinkMessage message)
    {
        byte takes = _slots.Take(ref world.Slots[front], message.Argument);
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open && _scenario.FrontOf(ClientOfStream(stream)) == front && (takes >> part.Number & 1) != 0)
            {
                _queues.Add(ref part.Queue, message.Argument);
                Raise(ref part.Told[_scenario.Keys > 1 ? message.Argument : 0], message.Version);
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
                ClearStreams(ref next, FrontOfLink(link), told: default);
            }

            Add(ref next, moves, $"front {FrontOfLink(link)} notices that its connection to node {NodeOfLink(link)} is lost, and has another");
        }
        else if (world.Fleet.LossesLeft > 0)
        {
            LoseMessages(ref next, link);
            part = default;
            part.IsLost = true;
            next.Fleet.LossesLeft--;
            moves.Rarely();
            Add(ref next, moves, $"the connection of front {FrontOfLink(link)} to node {NodeOfLink(link)} is lost");
        }
    }

    // What was asked and not heard is asked again.
    private static void LoseMessages(ref World world, int link)
    {
        LinkPart lost = world.Fleet.Links[link];
        int number = link % 2;
        for (int at = 0; at < lost.Count; at++)
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

    // A renew that was read is answered once every node has answered a read on its tracked connection.
    private void AddFleetRenewal(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Renew == RenewStep.Sent)
        {
            World next = world;
            bool asks = Has(Safeguard.ReadBeforeRenewal);
            int nodes = asks ? (1 << _scenario.LinksOfFront) - 1 : 0;
            next.Streams[stream].Renew = RenewStep.Read;
            next.Streams[stream].RenewNodes = (byte)(Has(Safeguard.AllNodesBeforeRenewal) ? nodes : nodes & 2);
            Add(ref next, moves, $"front {ClientOfStream(stream)}: the renew of stream {stream} is read");
            return;
        }

        for (int number = 0; number < _scenario.LinksOfFront; number++)
        {
            AddRenewRead(world, stream, number, moves);
        }

        if (part.RenewNodes == 0)
        {
            World next = world;
            next.Streams[stream].Renew = RenewStep.Settled;
            if (Has(Safeguard.DirectoryBeforeRenewal))
            {
                HearOfFlush(ref next, _scenario.FrontOf(ClientOfStream(stream)));
            }

            Add(ref next, moves, $"front {ClientOfStream(stream)}: all nodes have answered the renew of stream {stream}");
        }
    }

    private void AddRenewRead(in World world, int stream, int number, Moves<World> moves)
    {
        World next = world;
        int client = ClientOfStream(stream);
        int link = LinkOfFront(client, number);
        int node = NodeOfLink(link);
        ref StreamPart part = ref next.Streams[stream];
        if ((part.RenewNodes >> number & 1) == 0)
        {
            return;
        }

        // Who has lost its slots is asked no more, once that is known.
        part.RenewNodes &= (byte)~(1 << number);
        if (node == 0 && _scenario.FailsOver && world.Fleet.Views[_scenario.FrontOf(client)] == 1)
        {
            Add(ref next, moves, $"front {FrontOfLink(link)}: node {node} need not answer the renew of stream {stream}: it has no slots");
            return;
        }

        part.RenewNodes |= (byte)(4 << number);
        bool isAnswered = !world.Fleet.Links[link].IsLost && (!Refuses(world, node) || !Has(Safeguard.ReadNotPing));
        if (isAnswered && TryPut(ref next.Fleet.Links[link], LinkMessage.RenewReply(stream)))
        {
            Add(ref next, moves, $"node {node} answers the renew's read of stream {stream}");
        }
    }

    // The first key's slot moves to the second node, which has the key from then on.
    private void AddMove(in World world, Moves<World> moves)
    {
        if (world.Fleet.IsMigrating)
        {
            World done = world;
            done.Fleet.IsMigrating = false;
            Add(ref done, moves, $"the slot of k0 is node 1's");
        }

        if (_scenario.Moves == SlotMove.None || world.Fleet.Owner == 1)
        {
            return;
        }

        World next = world;
        next.Fleet.Owner = 1;
        next.Fleet.ChangedAt = (byte)(world.Now + 1);
        if (_scenario.Moves == SlotMove.Told)
        {
            next.Fleet.IsMigrating = true;
            PushChange(ref next, 0, NameAt(0, 0), 0);
        }

        for (int link = 0; link < 4; link++)
        {
            next.Fleet.Links[link].Tracks &= (byte)(NodeOfLink(link) == 0 ? 0b10 : 0b11);
        }

        moves.Rarely();
        Add(ref next, moves, $"k0 moves to node 1{(next.Fleet.IsMigrating ? "; its slot will follow" : ", with its slot")}");
    }

    // Whether the first front should have heard of a change by now.
    private bool IsUnheard(in World world)
    {
        bool isKnown = world.Fleet.Views[0] == world.Fleet.Owner && GenerationOf(world, 0) == world.Fleet.Generation;
        return _scenario.HasNear(0) && !isKnown && world.Now >= world.Fleet.ChangedAt;
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
            moves.Rarely();
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

    // A client's front hears of a slot's move, or of a flush.
    private void AddLearning(in World world, int client, Moves<World> moves)
    {
        int front = _scenario.FrontOf(client);
        if (_scenario.HasNear(client) && world.Fleet.Views[front] != world.Fleet.Owner && !world.Fleet.IsMigrating)
        {
            World next = world;
            HearOfMove(ref next, front);
            Add(ref next, moves, $"front {front} hears that the slot of k0 is at another node, and its streams are to clear");
        }

        if (world.Fleet.Generation == 1 && GenerationOf(world, front) == 0)
        {
            World next = world;
            HearOfFlush(ref next, front);
            Add(ref next, moves, $"front {front} hears of the flush, and its streams are to clear");
        }
    }

    private void HearOfFlush(ref World world, int front)
    {
        if (world.Fleet.Generation == GenerationOf(world, front))
        {
            return;
        }

        world.Fleet.Knowing |= (byte)(_scenario.IsOneFront ? 3 : 1 << front);
        if (Has(Safeguard.ClearOfHeardFlush))
        {
            Two<byte> told = default;
            told[0] = (byte)(world.Fleet.OldVersion + 1);
            ClearStreams(ref world, front, told);
        }
    }

    private void AddFleetFlushStep(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        if (call.Step == OperationStep.Sent && world.Fleet.Generation == 0)
        {
            next.Fleet.Generation = 1;
            next.Fleet.ChangedAt = (byte)(world.Now + 1);
            next.Fleet.OldVersion = world.Keys[0].Version;
            Show(ref next, ref call, 0);
            call.Step = OperationStep.Visible;
            Add(ref next, moves, $"the nodes know of {NameOf(world, operation)}");
        }
        else if (call.Step == OperationStep.Visible && (world.Fleet.Knowing | (_scenario.FlushesUnheard ? 1 : 0)) == 3)
        {
            LeaveServer(ref next, operation);
            string who = world.Fleet.Knowing == 3 ? "all fronts know of it" : "one front is not waited for";
            Add(ref next, moves, $"{NameOf(world, operation)} is answered: {who}");
        }
        else if (call.Step == OperationStep.Told)
        {
            AddEnd(world, operation, moves);
        }
    }

    private void ReadAtNode(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        int front = _scenario.FrontOf(ClientOfOperation(operation));
        FleetPart fleet = world.Fleet;
        KeyPart key = world.Keys[call.Key];
        int generation = call.IsNearGet ? call.Takes : GenerationOf(world, front);
        (call.Version, call.Form) = fleet.IsCutOff && call.Key == 0 && ViewOf(world, front, 0) == 0 ? (fleet.CutOffVersion, fleet.CutOffForm)
            : fleet.Generation > generation ? (fleet.OldVersion, ValueForm.Small)
            : (key.Version, key.Form);
    }
}
