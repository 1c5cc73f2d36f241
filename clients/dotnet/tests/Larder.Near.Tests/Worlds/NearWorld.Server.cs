using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the server's steps of a call.</summary>
internal sealed partial class NearWorld
{
    private const byte NoTicket = byte.MaxValue;

    private void AddSteps(in World world, int operation, Moves<World> moves)
    {
        Operation call = world.Operations[operation];
        AddError(world, operation, moves);
        switch (call.Kind)
        {
            case OperationKind.NearGet when call.Step == OperationStep.Waiting:
                AddRetry(world, operation, moves);
                break;
            case OperationKind.NearGet:
                AddNearGetStep(world, operation, moves);
                break;
            case OperationKind.PlainRead when call.Step == OperationStep.Sent:
                World next = world;
                Read(ref next, operation);
                Add(ref next, moves, $"server: {NameOf(world, operation)} reads v{next.Operations[operation].Version}");
                break;
            case OperationKind.PlainRead:
                AddEnd(world, operation, moves);
                break;
            case OperationKind.Flush when _scenario.IsFleet:
                AddFleetFlushStep(world, operation, moves);
                break;
            case OperationKind.Flush:
                AddFlushStep(world, operation, moves);
                break;
            default:
                AddWriteStep(world, operation, moves);
                break;
        }
    }

    private void AddNearGetStep(in World world, int operation, Moves<World> moves)
    {
        Operation call = world.Operations[operation];
        if (world.Streams[call.Stream].Server != ServerSide.Open || call.Step >= OperationStep.Answering || !IsNext(world, operation))
        {
            return;
        }

        World next = world;
        ref Operation after = ref next.Operations[operation];
        switch (call.Step)
        {
            case OperationStep.Sent when Has(Safeguard.NoteBeforeReading) || _scenario.IsFleet:
                after.Takes = (byte)GenerationOf(world, _scenario.GatewayOf(ClientOfOperation(operation)));
                if (!_scenario.IsFleet || Has(Safeguard.NoteBeforeAsking))
                {
                    Note(ref next, after);
                }

                after.Step = OperationStep.Noted;
                Add(ref next, moves, $"server: {NameOf(world, operation)} notes stream {call.Stream}");
                break;
            case OperationStep.Sent:
                Read(ref next, operation);
                after.Step = OperationStep.Noted;
                Add(ref next, moves, $"server: {NameOf(world, operation)} reads v{after.Version}, and has not noted its stream");
                break;
            case OperationStep.Noted when _scenario.IsFleet:
                AddAsking(world, operation, moves);
                break;
            case OperationStep.Asked:
                break;
            case OperationStep.Noted when _scenario.Expires:
                after.Left = call.Key > 0 || world.Keys[0].Version > 0 ? (byte)0
                    : world.Now < _scenario.ExpiresAt ? (byte)(_scenario.ExpiresAt - world.Now) : NoTicket;
                after.Step = OperationStep.Timed;
                Add(ref next, moves, $"server: {NameOf(world, operation)} has {after.Left} left (0: for ever, {NoTicket}: nothing)");
                break;
            case OperationStep.Noted or OperationStep.Timed when Has(Safeguard.NoteBeforeReading):
                Read(ref next, operation);
                Add(ref next, moves, $"server: {NameOf(world, operation)} reads v{after.Version}");
                break;
            case OperationStep.Noted or OperationStep.Timed:
                Note(ref next, call);
                after.Step = OperationStep.Read;
                Add(ref next, moves, $"server: {NameOf(world, operation)} notes stream {call.Stream}");
                break;
            default:
                after.Step = OperationStep.Answering;
                if (next.Streams[call.Stream].Messages.TryAdd(Message.Answer(operation)))
                {
                    Add(ref next, moves, $"server: the answer of {NameOf(world, operation)} is put into stream {call.Stream}");
                }

                break;
        }
    }

    // Returns whether a near get is the next near get of its stream to run. The near gets of a stream run one after another.
    private bool IsNext(in World world, int operation)
    {
        for (int other = operation - (operation % Scenario.CallsOfClient); !_scenario.IsUnordered && other < operation; other++)
        {
            Operation earlier = world.Operations[other];
            bool isUnanswered = earlier.IsNearGet && earlier.Step is > OperationStep.Waiting and < OperationStep.Answering;
            if (isUnanswered && earlier.Stream == world.Operations[operation].Stream)
            {
                return false;
            }
        }

        return true;
    }

    private void Note(ref World world, in Operation call)
    {
        int gateway = _scenario.GatewayOf(ClientOfStream(call.Stream));
        int name = _scenario.IsFleet ? NameAt(call.Key, call.Takes) : call.Key;
        _slots.Note(ref world.Slots[gateway], name, world.Streams[call.Stream].Number);
    }

    private void Read(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        KeyPart key = world.Keys[call.Key];
        bool isExpired = _scenario.Expires && call.Key == 0 && key.Version == 0 && world.Now >= _scenario.ExpiresAt;
        call.Version = key.Version;
        call.Form = isExpired ? ValueForm.Missing : key.Form;
        call.Step = OperationStep.Read;
        if (_scenario.IsFleet)
        {
            ReadAtNode(ref world, operation);
        }
    }

    private void AddWriteStep(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        switch (call.Step)
        {
            case OperationStep.Sent when _scenario.IsFleet:
                AddApplying(world, operation, moves);
                break;
            case OperationStep.Sent when _scenario.Opens:
                call.Step = OperationStep.Stored;
                Add(ref next, moves, $"server: {NameOf(world, operation)} is stored, and not yet seen by others");
                break;
            case OperationStep.Sent when Has(Safeguard.VisibleBeforeTaking):
                Show(ref next, ref call, call.Key);
                call.Step = OperationStep.Visible;
                Add(ref next, moves, $"server: {NameOf(world, operation)} is visible as v{call.Version}");
                break;
            case OperationStep.Sent:
                AddTaking(world, operation, moves);
                break;
            case OperationStep.Stored:
                AddShowing(world, operation, moves);
                AddLooking(world, operation, moves);
                break;
            case OperationStep.Visible:
                AddTaking(world, operation, moves);
                if (!Has(Safeguard.TellingBeforeAnswer) && !call.IsOrphan)
                {
                    AddEnd(world, operation, moves);
                }

                break;
            case OperationStep.Taken when !Has(Safeguard.VisibleBeforeTaking) && !call.IsVisible:
                AddShowing(world, operation, moves);
                break;
            case OperationStep.Taken:
                AddTelling(world, operation, moves);
                break;
            case OperationStep.Notified when !call.IsVisible:
                AddShowing(world, operation, moves);
                break;
            default:
                AddEnd(world, operation, moves);
                break;
        }
    }

    // Adds the move that makes a write visible to other clients.
    private void AddShowing(in World world, int operation, Moves<World> moves)
    {
        if (!world.Operations[operation].IsVisible)
        {
            World next = world;
            ref Operation call = ref next.Operations[operation];
            Show(ref next, ref call, call.Key);
            Add(ref next, moves, $"server: {NameOf(world, operation)} is visible as v{call.Version}");
        }
    }

    // Adds the move in which a writer checks whether the server has any near stream. If it has one, the write becomes visible as the next step.
    private void AddLooking(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        if (!world.IsWatching)
        {
            call.Step = OperationStep.Notified;
            Add(ref next, moves, $"server: {NameOf(world, operation)} finds no near stream");
        }
        else if (call.IsVisible)
        {
            call.Step = OperationStep.Visible;
            Add(ref next, moves, $"server: {NameOf(world, operation)} finds near streams");
        }
    }

    // Adds the move in which a writer takes the streams that it must notify. The writer looks for such streams without the stripe's lock, but holds the lock
    // while it takes them.
    private void AddTaking(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        if (!_slots.HasAny(world.Slots[0], call.Key))
        {
            call.Step = OperationStep.Taken;
            if (Has(Safeguard.VisibleBeforeTaking))
            {
                LeaveServer(ref next, operation);
            }

            Add(ref next, moves, $"server: {NameOf(world, operation)} finds nobody to tell");
        }
        else if (!IsLocked(world, _scenario.TicketNumberOf(call.Key)))
        {
            call.Takes = _slots.Take(ref next.Slots[0], call.Key);
            call.Step = OperationStep.Taken;
            Add(ref next, moves, $"server: {NameOf(world, operation)} takes who is to be told");
        }
    }

    private void AddTelling(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        if (call.Takes != 0)
        {
            ref LoggedPart logged = ref next.Logged[call.Key];
            logged.Takes |= call.Takes;
            Raise(ref logged.Version, call.Version);
            call.Takes = 0;
        }

        LeaveServer(ref next, operation);
        Add(ref next, moves, $"server: {NameOf(world, operation)} logs its ticket");
    }

    // Moves all logged changes to the queues of their streams.
    private void Deliver(ref World world)
    {
        for (int key = 0; key < 2; key++)
        {
            LoggedPart logged = world.Logged[key];
            for (int stream = 0; logged.Takes != 0 && stream < 2 * Scenario.StreamsOfClient; stream++)
            {
                ref StreamPart part = ref world.Streams[stream];
                if (part.Server is ServerSide.Open or ServerSide.Watching && (logged.Takes >> part.Number & 1) != 0)
                {
                    _queues.Add(ref part.Queue, key);
                    Raise(ref part.Notified[key], logged.Version);
                }
            }

            world.Logged[key] = default;
        }
    }

    // Ends a write at the server. If the writing client has no near cache, the write completes for that client in the same step. This is the strictest case:
    // the earlier a write completes, the earlier other clients must see it.
    private void LeaveServer(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        int client = ClientOfOperation(operation);
        call.Step = OperationStep.Notified;
        if (call.IsOrphan)
        {
            call = default;
        }
        else if (!_scenario.HasNear(client) && call.IsVisible)
        {
            FinishWrite(ref world, client, call);
            call = default;
        }
    }

    private void AddFlushStep(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        ref Operation call = ref next.Operations[operation];
        switch (call.Step)
        {
            case OperationStep.Sent:
                for (int key = 0; key < _scenario.Keys; key++)
                {
                    Show(ref next, ref call, key);
                }

                call.Step = OperationStep.Visible;
                Add(ref next, moves, $"server: {NameOf(world, operation)} is visible");
                break;
            case OperationStep.Visible:
                for (int stream = 0; stream < 2 * Scenario.StreamsOfClient && Has(Safeguard.ClearOfFlush); stream++)
                {
                    Clear(ref next.Streams[stream], call);
                }

                LeaveServer(ref next, operation);
                Add(ref next, moves, $"server: {NameOf(world, operation)} queues a clear");
                break;
            default:
                AddEnd(world, operation, moves);
                break;
        }
    }

    private void Clear(ref StreamPart stream, in Operation flush)
    {
        if (stream.Server is ServerSide.Open or ServerSide.Watching)
        {
            _queues.AddClear(ref stream.Queue);
            Raise(ref stream.Notified[0], flush.Version);
            Raise(ref stream.Notified[1], flush.SecondVersion);
        }
    }

    private static void Show(ref World world, ref Operation call, int key)
    {
        ref KeyPart part = ref world.Keys[key];
        part.Version++;
        part.Form = call.Kind switch
        {
            OperationKind.Write => ValueForm.Small,
            OperationKind.LargeWrite => ValueForm.Large,
            _ => ValueForm.Missing,
        };
        call.IsVisible = true;
        if (key == call.Key)
        {
            call.Version = part.Version;
        }
        else
        {
            call.SecondVersion = part.Version;
        }
    }

    // Returns whether a write holds the lock of a ticket. A write holds this lock while it notifies the streams of the ticket.
    private bool IsLocked(in World world, int ticket)
    {
        for (int operation = 0; operation < 2 * Scenario.CallsOfClient; operation++)
        {
            Operation call = world.Operations[operation];
            if (call.Step == OperationStep.Taken && _scenario.TicketNumberOf(call.Key) == ticket)
            {
                return true;
            }
        }

        return false;
    }
}
