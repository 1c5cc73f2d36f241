using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the changes behind a gateway (a moved slot, a node that is cut off, a flush), and the moves in which the gateway learns of them.</summary>
internal sealed partial class NearWorld
{
    // Adds the move that transfers the first key's slot to the second node. The second node stores the key from then on.
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
        if (_scenario.Moves == SlotMove.Notified)
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

    // Adds the move that cuts off the first node. The second node, which acts as the replica of the first one, takes over.
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
            Add(ref next, moves, $"node 0 is cut off with gateway 0, and node 1 takes its slots");
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

    // Adds the move in which a client's gateway learns of a moved slot or of a flush.
    private void AddLearning(in World world, int client, Moves<World> moves)
    {
        int gateway = _scenario.GatewayOf(client);
        if (_scenario.HasNear(client) && world.Fleet.Views[gateway] != world.Fleet.Owner && !world.Fleet.IsMigrating)
        {
            World next = world;
            ReceiveSlotMove(ref next, gateway);
            Add(ref next, moves, $"gateway {gateway} hears that the slot of k0 is at another node, and its streams are to clear");
        }

        if (world.Fleet.Generation == 1 && GenerationOf(world, gateway) == 0)
        {
            World next = world;
            ReceiveFlush(ref next, gateway);
            Add(ref next, moves, $"gateway {gateway} hears of the flush, and its streams are to clear");
        }
    }

    // Updates a gateway's view of the slots.
    private void ReceiveSlotMove(ref World world, int gateway)
    {
        world.Fleet.Views[gateway] = world.Fleet.Owner;
        if (Has(Safeguard.ClearOfMovedSlot))
        {
            ClearStreams(ref world, gateway, told: default);
        }
    }

    private void ReceiveFlush(ref World world, int gateway)
    {
        if (world.Fleet.Generation == GenerationOf(world, gateway))
        {
            return;
        }

        world.Fleet.Knowing |= (byte)(_scenario.IsOneGateway ? 3 : 1 << gateway);
        if (Has(Safeguard.ClearOfHeardFlush))
        {
            Two<byte> told = default;
            told[0] = (byte)(world.Fleet.OldVersion + 1);
            ClearStreams(ref world, gateway, told);
        }
    }

    private void ClearStreams(ref World world, int gateway, Two<byte> told)
    {
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref world.Streams[stream];
            if (part.Server == ServerSide.Open && _scenario.GatewayOf(ClientOfStream(stream)) == gateway)
            {
                _queues.AddClear(ref part.Queue);
                Raise(ref part.Notified[0], told[0]);
            }
        }
    }

    // Returns whether the first gateway should already know of a change but does not.
    private bool IsUnheard(in World world)
    {
        bool isKnown = world.Fleet.Views[0] == world.Fleet.Owner && GenerationOf(world, 0) == world.Fleet.Generation;
        return _scenario.HasNear(0) && !isKnown && world.Now >= world.Fleet.ChangedAt;
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
            string known = world.Fleet.Knowing == 3 ? "all gateways know of it" : "one gateway is not waited for";
            Add(ref next, moves, $"{NameOf(world, operation)} is answered: {known}");
        }
        else if (call.Step == OperationStep.Notified)
        {
            AddEnd(world, operation, moves);
        }
    }
}
