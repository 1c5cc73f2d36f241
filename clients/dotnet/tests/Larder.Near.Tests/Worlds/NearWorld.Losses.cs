using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the moves in which streams are lost or replaced. These moves also end or retry the operations in flight on the streams.</summary>
internal sealed partial class NearWorld
{
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

    // The server notices that a stream has ended, before or after the client notices the end. It removes the stream's records in a later step.
    private void AddLeaving(in World world, int stream, Moves<World> moves)
    {
        World next = world;
        ref StreamPart part = ref next.Streams[stream];
        if ((_scenario.Loses || part.Client == ClientSide.Lost) && part.Server == ServerSide.Open)
        {
            part.Server = ServerSide.Leaving;
            part.Queue = 0;
            part.Notified = default;
            part.Renew = RenewStep.None;
            moves.Rarely();
            Add(ref next, moves, $"server: stream {stream} is over");
        }
        else if (part.Server == ServerSide.Leaving)
        {
            _slots.Forget(ref next.Slots[_scenario.GatewayOf(ClientOfStream(stream))], part.Number);
            Deliver(ref next);
            part.Server = ServerSide.Gone;
            part.Number = 0;
            next.IsWatching &= !_scenario.Opens || HasNearStream(next);
            Add(ref next, moves, $"server: the notes of stream {stream} are forgotten");
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
}
