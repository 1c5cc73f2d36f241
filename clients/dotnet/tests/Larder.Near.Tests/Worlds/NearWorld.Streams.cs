using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the moves of streams: opening a stream, announcements on it, and renewals of its lease.</summary>
internal sealed partial class NearWorld
{
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
                part.Messages.TryAdd(Message.Of(MessageKind.Opened));
            }

            Add(ref next, moves, $"server: stream {stream} is near stream number {part.Number}");
        }
        else if (part.Server == ServerSide.Watching && !HasPendingWrite(world))
        {
            part.Server = ServerSide.Open;
            part.Messages.TryAdd(Message.Of(MessageKind.Opened));
            Add(ref next, moves, $"server: near_open of stream {stream} is answered");
        }
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

    // Returns whether the barrier of the first near stream must wait for a write.
    private bool HasPendingWrite(in World world)
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
        if (part.Server == ServerSide.Open && TrySendWaiting(ref next, stream, out bool isAny) && isAny)
        {
            Add(ref next, moves, $"server: what waits is put into stream {stream}");
        }
    }

    // Sends everything that is logged or queued, in one message. Returns false if the stream has no room for the message.
    private bool TrySendWaiting(ref World world, int stream, out bool isAny)
    {
        if (Has(Safeguard.DeliveryBeforeSending))
        {
            Deliver(ref world);
        }

        ref StreamPart part = ref world.Streams[stream];
        int waiting = _queues.TakeAll(ref part.Queue);
        isAny = waiting != 0 || part.Notified[0] != 0 || part.Notified[1] != 0;
        if (waiting == 0)
        {
            part.Notified = default;
            return true;
        }

        MessageKind kind = (waiting & QueueMachine.Clear) != 0 ? MessageKind.Clear : MessageKind.Tickets;
        Message message = Message.Telling(kind, waiting & ~QueueMachine.Clear, part.Notified[0], part.Notified[1]);
        part.Notified = default;
        return part.Messages.TryAdd(message);
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
            case RenewStep.Settled when !Has(Safeguard.TicketsBeforeRenewal) || TrySendWaiting(ref next, stream, out _):
                part.Renew = RenewStep.None;
                if (part.Messages.TryAdd(Message.Of(MessageKind.Renewed)))
                {
                    Add(ref next, moves, $"server: what waits is put into stream {stream}, and then the renew's answer");
                }

                break;
            default:
                break;
        }
    }
}
