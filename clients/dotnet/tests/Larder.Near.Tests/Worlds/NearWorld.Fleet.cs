using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the steps of a call at the nodes of a fleet.</summary>
internal sealed partial class NearWorld
{
    /// <summary>
    /// Returns the index of a key's name at its node. With two keys, this is the index of the key. With only one key, this is the generation, because a flush
    /// changes the name.
    /// </summary>
    private int NameAt(int key, int generation) => _scenario.Keys > 1 ? key : generation;

    private static int NodeOf(in World world, int key) => key == 0 ? world.Fleet.Owner : 1;

    // Returns the node at which a gateway looks for a key.
    private static int ViewOf(in World world, int gateway, int key) => key == 0 ? world.Fleet.Views[gateway] : 1;

    private static int GenerationOf(in World world, int gateway) => world.Fleet.Knowing >> gateway & 1;

    private void AddFleetMoves(in World world, Moves<World> moves)
    {
        for (int client = 0; client < 2; client++)
        {
            for (int number = 0; number < _scenario.LinksOfGateway && _scenario.HasNear(client) && (client == 0 || !_scenario.IsOneGateway); number++)
            {
                int link = LinkOfGateway(client, number);
                AddHearing(world, link, moves);
                AddLinkLoss(world, link, moves);
            }

            AddLearning(world, client, moves);
        }

        AddMove(world, moves);
        AddTakeOver(world, moves);
    }

    // Adds the next step of a near get. The gateway has already recorded the near get. Now the node reads the key, and the node will announce the key's next
    // change.
    private void AddAsking(in World world, int operation, Moves<World> moves)
    {
        Operation call = world.Operations[operation];
        int client = ClientOfOperation(operation);
        int node = ViewOf(world, _scenario.GatewayOf(client), call.Key);
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
        if (link.Messages.TryAdd(LinkMessage.Reply(operation)))
        {
            Add(ref next, moves, $"node {node}: {NameOf(world, operation)} reads v{next.Operations[operation].Version}, and is tracked");
        }
    }

    // The node redirects the call to another node. The other node owns the slot, or is receiving the slot and already has the key. The gateway asks the other
    // node on an untracked connection, so the response contains no ticket. If the slot has moved, the gateway may retry on the tracked connection instead.
    private void AddRedirect(in World world, int operation, Moves<World> moves)
    {
        int gateway = _scenario.GatewayOf(ClientOfOperation(operation));
        World aside = world;
        if (!world.Fleet.IsMigrating)
        {
            World next = world;
            ReceiveSlotMove(ref next, gateway);
            Add(ref next, moves, $"gateway {gateway}: {NameOf(world, operation)} is redirected, and the streams are to clear");
            ReceiveSlotMove(ref aside, gateway);
        }

        Read(ref aside, operation);
        aside.Operations[operation].Left = Has(Safeguard.TicketOfTrackedReply) ? NoTicket : (byte)0;
        Add(ref aside, moves, $"gateway {gateway}: {NameOf(world, operation)} is redirected, and reads v{aside.Operations[operation].Version} untracked");
    }

    private static bool Refuses(in World world, int node) => node == 0 && world.Fleet.IsRefusing;

    // Applies a write at the node. The node announces the write on the connections that track the key.
    private void AddApplying(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        int gateway = _scenario.GatewayOf(ClientOfOperation(operation));
        bool isCutOff = world.Fleet.IsCutOff && world.Fleet.Views[gateway] == 0;
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

    private void ReadAtNode(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        int gateway = _scenario.GatewayOf(ClientOfOperation(operation));
        FleetPart fleet = world.Fleet;
        KeyPart key = world.Keys[call.Key];
        int generation = call.IsNearGet ? call.Takes : GenerationOf(world, gateway);
        (call.Version, call.Form) = fleet.IsCutOff && call.Key == 0 && ViewOf(world, gateway, 0) == 0 ? (fleet.CutOffVersion, fleet.CutOffForm)
            : fleet.Generation > generation ? (fleet.OldVersion, ValueForm.Small)
            : (key.Version, key.Form);
    }
}
