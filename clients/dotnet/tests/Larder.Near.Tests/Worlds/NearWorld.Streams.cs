using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Streams: how they are opened, lost and replaced, what is told on them, and how their lease is renewed.</summary>
internal sealed partial class NearWorld
{
    private static bool TryPut(ref StreamPart stream, Message message)
    {
        if (stream.Count == 8)
        {
            return false;
        }

        stream.Messages[stream.Count++] = message;
        return true;
    }

    private void AddStreamMoves(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Client == ClientSide.None)
        {
            return;
        }

        AddOpening(world, stream, moves);
        AddSending(world, stream, moves);
        AddRenewal(world, stream, moves);
        AddReceiving(world, stream, moves);
        AddLoss(world, stream, moves);
        AddLeaving(world, stream, moves);
        AddFlood(world, stream, moves);
    }

    // Keys of others change, as many as one client remembers.
    private void AddFlood(in World world, int stream, Moves<World> moves)
    {
        if (_scenario.IsFlooded && !world.HasFlooded && world.Streams[stream].Client == ClientSide.Near)
        {
            World next = world;
            next.HasFlooded = true;
            _clients.Call(ref next.Clients[ClientOfStream(stream)].Machine, new ClientCall(ClientCallKind.Flooded, Stream: (byte)(stream + 1)));
            Add(ref next, moves, $"{NameOf(ClientOfStream(stream))} receives tickets of others, as many as it remembers");
        }
    }

    private void AddOpening(in World world, int stream, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        if (part.Server == ServerSide.Opening)
        {
            part.Number = FreeNumber(world);
            part.Server = world.IsWatching ? ServerSide.Open : ServerSide.Watching;
            next.IsWatching = true;
            if (part.Server == ServerSide.Open)
            {
                TryPut(ref part, Message.Of(MessageKind.Opened));
            }

            Add(ref next, moves, $"server: stream {stream} is near stream number {part.Number}");
        }
        else if (part.Server == ServerSide.Watching && !HasWriteUnseen(world))
        {
            part.Server = ServerSide.Open;
            TryPut(ref part, Message.Of(MessageKind.Opened));
            Add(ref next, moves, $"server: near_open of stream {stream} is answered");
        }
    }

    private static bool HasNearStream(in World world)
    {
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient; stream++)
        {
            if (world.Streams[stream].Server is ServerSide.Watching or ServerSide.Open or ServerSide.Leaving)
            {
                return true;
            }
        }

        return false;
    }

    private byte FreeNumber(in World world)
    {
        byte number = 0;
        for (int stream = 0; stream < 2 * Scenario.StreamsOfClient;)
        {
            StreamPart part = world.Streams[stream++];
            bool isTaken = part.Server is ServerSide.Watching or ServerSide.Open || (part.Server == ServerSide.Leaving && Has(Safeguard.ForgettingBeforeReuse));
            if (isTaken && part.Number == number)
            {
                number++;
                stream = 0;
            }
        }

        return number;
    }

    // What the first near stream's barrier waits for.
    private bool HasWriteUnseen(in World world)
    {
        for (int operation = 0; operation < 2 * Scenario.CallsOfClient && Has(Safeguard.BarrierOfFirstStream); operation++)
        {
            Operation call = world.Operations[operation];
            if (call.IsWrite && call.Step >= OperationStep.Stored && !call.IsVisible)
            {
                return true;
            }
        }

        return false;
    }

    private void AddSending(in World world, int stream, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        if (part.Server == ServerSide.Open && TrySendWaiting(ref part, out bool isAny) && isAny)
        {
            Add(ref next, moves, $"server: what waits is put into stream {stream}");
        }
    }

    // All that waits leaves in one message. False where there is no room for it.
    private bool TrySendWaiting(ref StreamPart part, out bool isAny)
    {
        int waiting = _queues.TakeAll(ref part.Queue);
        isAny = waiting != 0 || part.Told[0] != 0 || part.Told[1] != 0;
        if (waiting == 0)
        {
            part.Told = default;
            return true;
        }

        MessageKind kind = (waiting & QueueMachine.Clear) != 0 ? MessageKind.Clear : MessageKind.Tickets;
        Message message = Message.Telling(kind, waiting & ~QueueMachine.Clear, part.Told[0], part.Told[1]);
        part.Told = default;
        return TryPut(ref part, message);
    }

    private void AddRenewal(in World world, int stream, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        ref ClientPart client = ref next.Clients[ClientOfStream(stream)];
        bool isAsking = part.Client == ClientSide.Near || (part.Client == ClientSide.Replaced && NearStreamOf(world, ClientOfStream(stream)) >= 0);
        if (isAsking && part.AskedAt == 0 && client.RenewsLeft > 0)
        {
            client.RenewsLeft--;
            part.AskedAt = (byte)(world.Now + 1);
            part.Renew = RenewStep.Sent;
            Add(ref next, moves, $"{NameOf(ClientOfStream(stream))} sends a renew on stream {stream}");
            return;
        }

        if (part.Server != ServerSide.Open || part.Renew == RenewStep.None)
        {
            return;
        }

        if (_scenario.IsFleet && part.Renew < RenewStep.HalfSettled)
        {
            AddFleetRenewal(world, stream, moves);
            return;
        }

        bool settles = Has(Safeguard.SettlingBeforeRenewal);
        switch (part.Renew)
        {
            case RenewStep.Sent when !settles || !IsLocked(world, 0):
                part.Renew = _scenario.AllTickets.Count > 1 ? RenewStep.HalfSettled : RenewStep.Settled;
                Add(ref next, moves, $"server: the renew of stream {stream} is read, and has passed the first stripe");
                break;
            case RenewStep.HalfSettled when !settles || !IsLocked(world, 1):
                part.Renew = RenewStep.Settled;
                Add(ref next, moves, $"server: the renew of stream {stream} has passed the second stripe");
                break;
            case RenewStep.Settled when !Has(Safeguard.TicketsBeforeRenewal) || TrySendWaiting(ref part, out _):
                part.Renew = RenewStep.None;
                if (TryPut(ref part, Message.Of(MessageKind.Renewed)))
                {
                    Add(ref next, moves, $"server: what waits is put into stream {stream}, and then the renew's answer");
                }

                break;
            default:
                break;
        }
    }

    private void AddReceiving(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Client is ClientSide.Lost)
        {
            return;
        }

        for (int at = 0; at < part.Count; at++)
        {
            World next = world;
            Message message = Remove(ref next.Streams[stream], at);
            Receive(ref next, stream, message, moves);
            string what = message.Kind == MessageKind.Answer ? $"the answer of {NameOf(world, message.Operation)}" : $"{message.Kind}";
            Add(ref next, moves, $"{NameOf(ClientOfStream(stream))} receives {what} on stream {stream}");
            if (Has(Safeguard.TicketsBeforeResults) || message.Kind is not (MessageKind.Tickets or MessageKind.Clear))
            {
                return;
            }
        }
    }

    private static Message Remove(ref StreamPart stream, int at)
    {
        Message message = stream.Messages[at];
        for (int i = at; i < stream.Count - 1; i++)
        {
            stream.Messages[i] = stream.Messages[i + 1];
        }

        stream.Messages[--stream.Count] = default;
        return message;
    }

    private void Receive(ref World world, int stream, Message message, Moves<World> moves)
    {
        int client = ClientOfStream(stream);
        ref ClientPart part = ref world.Clients[client];
        ref StreamPart on = ref world.Streams[stream];
        byte number = (byte)(stream + 1);
        switch (message.Kind)
        {
            case MessageKind.Answer:
                ReceiveAnswer(ref world, message.Operation, moves);
                break;
            case MessageKind.Opened:
                _clients.Call(ref part.Machine, new ClientCall(ClientCallKind.Opened, Stream: number, Time: (byte)(on.AskedAt - 1)));
                on.AskedAt = 0;
                on.Client = on.Client == ClientSide.Opening ? ClientSide.Near : on.Client;
                break;
            case MessageKind.Renewed:
                byte renewed = Has(Safeguard.LeaseOfOwnStream) ? number : (byte)(NearStreamOf(world, client) + 1);
                _clients.Call(ref part.Machine, new ClientCall(ClientCallKind.Renewed, Now: world.Now, Stream: renewed, Time: (byte)(on.AskedAt - 1)));
                on.AskedAt = 0;
                break;
            default:
                ClientCallKind kind = message.Kind == MessageKind.Clear ? ClientCallKind.Cleared : ClientCallKind.Invalidated;
                byte tickets = message.Kind == MessageKind.Clear ? (byte)0 : (byte)message.Tickets;
                _clients.Call(ref part.Machine, new ClientCall(kind, Stream: number, Tickets: tickets));
                for (int key = 0; key < _scenario.Keys && on.Client == ClientSide.Near; key++)
                {
                    Raise(ref part.Floors[key], message.ToldOf(key));
                }

                break;
        }
    }

    private void ReceiveAnswer(ref World world, int operation, Moves<World> moves)
    {
        ref Operation call = ref world.Operations[operation];
        int client = ClientOfOperation(operation);
        ref ClientPart part = ref world.Clients[client];
        if (call.IsOrphan)
        {
            call = default;
        }
        else if (call.Form == ValueForm.Large)
        {
            _clients.Call(ref part.Machine, CallOf(ClientCallKind.Failed, world.Now, operation, call));
            call.Kind = OperationKind.PlainRead;
            call.Step = OperationStep.Sent;
            call.Stream = call.Version = call.Left = call.Takes = 0;
            call.Form = ValueForm.Small;
        }
        else
        {
            bool isHit = call.Form == ValueForm.Small;
            ClientCall answered = CallOf(ClientCallKind.Answered, world.Now, operation, call) with
            {
                Version = isHit ? (byte)(call.Version + 1) : (byte)0,
                Tickets = isHit && call.Left != NoTicket ? (byte)(1 + (_scenario.IsFleet ? NameAt(call.Key, call.Takes) : call.Key)) : (byte)0,
                Time = call.Left == NoTicket ? (byte)0 : call.Left,
            };
            _clients.Call(ref part.Machine, answered);
            Give(ref world, client, call.Key, call.Version, call.Required, $"{NameOf(client)}'s near get got", moves);
            call = default;
        }
    }

    private void AddLoss(in World world, int stream, Moves<World> moves)
    {
        int client = ClientOfStream(stream);
        StreamPart part = world.Streams[stream];
        if (part.Client is not (ClientSide.Near or ClientSide.Replaced))
        {
            return;
        }

        bool isOther = world.Clients[client].Streams < Scenario.StreamsOfClient;
        if (_scenario.Loses && (isOther || part.Client == ClientSide.Replaced))
        {
            World next = world;
            Lose(ref next, stream);
            if (part.Client == ClientSide.Near)
            {
                OpenAnother(ref next, client);
            }

            moves.Rarely();
            Add(ref next, moves, $"{NameOf(client)} loses stream {stream}{(part.Client == ClientSide.Near ? ", and opens another" : "")}");
        }

        if (_scenario.Replaces && isOther && part.Client == ClientSide.Near)
        {
            World next = world;
            next.Streams[stream].Client = ClientSide.Replaced;
            _clients.Call(ref next.Clients[client].Machine, new ClientCall(ClientCallKind.Lost, Stream: (byte)(stream + 1)));
            OpenAnother(ref next, client);
            moves.Rarely();
            Add(ref next, moves, $"{NameOf(client)} has another stream opened in place of stream {stream}, which still answers");
        }
    }

    private void Lose(ref World world, int stream)
    {
        int client = ClientOfStream(stream);
        ref ClientPart part = ref world.Clients[client];
        ref StreamPart lost = ref world.Streams[stream];
        lost.Client = ClientSide.Lost;
        lost.Count = 0;
        lost.Messages = default;
        lost.AskedAt = 0;
        lost.Renew = RenewStep.None;
        _clients.Call(ref part.Machine, new ClientCall(ClientCallKind.Lost, Stream: (byte)(stream + 1)));
        int first = client * Scenario.CallsOfClient;
        for (int operation = first; operation < first + Scenario.CallsOfClient; operation++)
        {
            ref Operation call = ref world.Operations[operation];
            if (call.IsNearGet && call.Step > OperationStep.Waiting && call.Stream == stream)
            {
                LoseGet(ref world, operation);
            }
        }
    }

    private void LoseGet(ref World world, int operation)
    {
        ref Operation call = ref world.Operations[operation];
        int client = ClientOfOperation(operation);
        if (!call.IsOrphan)
        {
            _clients.Call(ref world.Clients[client].Machine, CallOf(ClientCallKind.Failed, world.Now, operation, call));
        }

        if (_scenario.Retries && !call.IsOrphan)
        {
            call = new Operation { Kind = call.Kind, Step = OperationStep.Waiting, Key = call.Key, Required = call.Required };
            return;
        }

        if (!call.IsOrphan && Has(Safeguard.FailedReadsTell))
        {
            End(ref world, client, call);
        }

        call = default;
    }

    private void OpenAnother(ref World world, int client)
    {
        ref ClientPart part = ref world.Clients[client];
        ref StreamPart stream = ref world.Streams[(client * Scenario.StreamsOfClient) + part.Streams];
        part.Streams++;
        stream.Client = ClientSide.Opening;
        stream.Server = ServerSide.Opening;
        stream.AskedAt = (byte)(world.Now + 1);
        stream.Queue = _queues.Start();
    }

    private void AddRetry(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        int stream = NearStreamOf(world, ClientOfOperation(operation));
        if (stream >= 0)
        {
            Send(ref next, operation, stream);
            Add(ref next, moves, $"{NameOf(world, operation)} is sent again, on stream {stream}");
        }
        else
        {
            next.Operations[operation].Kind = OperationKind.PlainRead;
            next.Operations[operation].Step = OperationStep.Sent;
            Add(ref next, moves, $"{NameOf(world, operation)} is sent again, as a plain read: there is no near stream");
        }
    }

    // The server notices that a stream is over, before its client does or after; later it forgets its notes.
    private void AddLeaving(in World world, int stream, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        if ((_scenario.Loses || part.Client == ClientSide.Lost) && part.Server == ServerSide.Open)
        {
            part.Server = ServerSide.Leaving;
            part.Queue = 0;
            part.Told = default;
            part.Renew = RenewStep.None;
            moves.Rarely();
            Add(ref next, moves, $"server: stream {stream} is over");
        }
        else if (part.Server == ServerSide.Leaving)
        {
            _slots.Forget(ref next.Slots[_scenario.FrontOf(ClientOfStream(stream))], part.Number);
            part.Server = ServerSide.Gone;
            part.Number = 0;
            next.IsWatching &= !_scenario.Opens || HasNearStream(next);
            Add(ref next, moves, $"server: the notes of stream {stream} are forgotten");
        }
    }
}
