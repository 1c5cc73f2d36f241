using System.Runtime.CompilerServices;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>
/// A model of two clients and a server. The production code makes the decisions: the clients use the .NET client's near state, and the server uses its own
/// slots and queues. The model adds the calls between them, the streams and the time, in every possible order.
/// </summary>
internal sealed partial class NearWorld : IModel<World>
{
    private readonly Scenario _scenario;
    private readonly Safeguard _removed;
    private readonly ClientMachine _clients;
    private readonly SlotsMachine _slots;
    private readonly QueueMachine _queues;

    public NearWorld(Scenario scenario, Safeguard removed)
    {
        _scenario = scenario;
        _removed = removed;
        _clients = new ClientMachine(scenario, removed);
        _slots = new SlotsMachine(scenario);
        _queues = new QueueMachine(scenario, removed);
        Start = Begin();
    }

    public World Start { get; }

    /// <summary>Gets the number of visited near states of the clients.</summary>
    public int MachineStates => _clients.Count;

    public void AddMoves(in World world, Moves<World> moves)
    {
        if (world.Now < _scenario.Time && !(_scenario.NotifiedInTime && IsUnheard(world)))
        {
            World next = world;
            next.Now++;
            Settle(ref next);
            moves.Rarely();
            Add(ref next, moves, $"time passes: {next.Now}");
        }

        for (int client = 0; client < 2; client++)
        {
            AddCalls(world, client, moves);
        }

        for (int operation = 0; operation < 2 * Scenario.CallsOfClient; operation++)
        {
            if (world.Operations[operation].IsUnderWay && !HasEqualEarlierOperation(world, operation))
            {
                AddSteps(world, operation, moves);
            }
        }

        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            AddStreamMoves(world, stream, moves);
        }

        if (_scenario.IsFleet)
        {
            AddFleetMoves(world, moves);
        }
    }

    private static int ClientOfOperation(int operation) => operation / Scenario.CallsOfClient;

    private static int ClientOfStream(int stream) => stream / Scenario.StreamsOfClient;

    private static string NameOf(int client) => client == 0 ? "A" : "B";

    private static string NameOf(in World world, int operation)
    {
        string kind = world.Operations[operation].Kind switch
        {
            OperationKind.NearGet => "near get",
            OperationKind.PlainRead => "plain read",
            OperationKind.Write => "write",
            OperationKind.LargeWrite => "large write",
            OperationKind.Delete => "delete",
            _ => "flush",
        };
        string of = world.Operations[operation].Kind == OperationKind.Flush ? "" : $" of k{world.Operations[operation].Key}";
        return $"{NameOf(ClientOfOperation(operation))}'s {kind} {(operation % Scenario.CallsOfClient) + 1}{of}";
    }

    // Adds a move. First clears the parts of the resulting state that are no longer relevant, so that equivalent states are equal.
    private void Add(ref World next, Moves<World> moves, [InterpolatedStringHandlerArgument(nameof(moves))] ref MoveText<World> text)
    {
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            ref StreamPart part = ref next.Streams[stream];
            if (part.Client == ClientSide.Lost)
            {
                part.Queue = 0;
                part.Notified = default;
                part.Messages = default;
            }

            for (int key = 0; key < _scenario.Keys && part.Client != ClientSide.None; key++)
            {
                byte floor = part.Client == ClientSide.Near ? next.Clients[ClientOfStream(stream)].Floors[key] : byte.MaxValue;
                if (part.Notified[key] <= floor)
                {
                    part.Notified[key] = 0;
                }

                for (int message = 0; message < part.Messages.Count; message++)
                {
                    part.Messages[message] = part.Messages[message].WithoutInvalidation(key, floor);
                }
            }
        }

        moves.Add(next, ref text);
    }

    private bool Has(Safeguard safeguard) => _removed != safeguard;

    private World Begin()
    {
        World world = default;
        world.IsWatching = !_scenario.Opens;
        world.Slots[0] = world.Slots[1] = _slots.Start();
        world.Fleet.LossesLeft = (byte)_scenario.LinkLosses;
        ushort queue = _queues.Start();
        int machine = _clients.Start();
        byte number = 0;
        for (int client = 0; client < 2; client++)
        {
            ref ClientPart part = ref world.Clients[client];
            part.CallsLeft = (byte)_scenario.CallsOf(client);
            part.Machine = machine;
            part.ErrorsLeft = (byte)_scenario.Errors;
            if (!_scenario.HasNear(client))
            {
                continue;
            }

            part.RenewsLeft = (byte)(client == 0 ? _scenario.Renews : 0);
            part.Streams = 1;
            int index = client * Scenario.StreamsOfClient;
            ref StreamPart stream = ref world.Streams[index];
            stream.Queue = queue;
            if (_scenario.Opens)
            {
                stream.Client = ClientSide.Opening;
                stream.Server = ServerSide.Opening;
                stream.AskedAt = 1;
                continue;
            }

            stream.Client = ClientSide.Near;
            stream.Server = ServerSide.Open;
            stream.Number = number++;
            _clients.Call(ref part.Machine, new ClientCall(ClientCallKind.Opened, Stream: (byte)(index + 1)));
        }

        return world;
    }

    // Returns whether an identical operation has a lower index. The order of identical writes makes no difference, so only the first one may proceed.
    private static bool HasEqualEarlierOperation(in World world, int operation)
    {
        Operation one = world.Operations[operation];
        if (one.IsNearGet || one.Kind == OperationKind.PlainRead)
        {
            return false;
        }

        ReadOnlySpan<byte> bytes = System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<Operation>(in one));
        for (int other = operation - (operation % Scenario.CallsOfClient); other < operation; other++)
        {
            Operation earlier = world.Operations[other];
            if (bytes.SequenceEqual(System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<Operation>(in earlier))))
            {
                return true;
            }
        }

        return false;
    }
}
