using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the moves in which clients receive messages.</summary>
internal sealed partial class NearWorld
{
    private void AddReceiving(in World world, int stream, Moves<World> moves)
    {
        StreamPart part = world.Streams[stream];
        if (part.Client is ClientSide.Lost)
        {
            return;
        }

        for (int at = 0; at < part.Messages.Count; at++)
        {
            World next = world;
            Message message = next.Streams[stream].Messages.RemoveAt(at);
            Receive(ref next, stream, message, moves);
            string what = message.Kind == MessageKind.Answer ? $"the answer of {NameOf(world, message.Operation)}" : $"{message.Kind}";
            Add(ref next, moves, $"{NameOf(ClientOfStream(stream))} receives {what} on stream {stream}");
            if (Has(Safeguard.TicketsBeforeResults) || message.Kind is not (MessageKind.Tickets or MessageKind.Clear))
            {
                return;
            }
        }
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
                    Raise(ref part.Floors[key], message.InvalidatedVersionOf(key));
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
                Version = isHit ? (byte)(_scenario.ValueOf(call.Version) + 1) : (byte)0,
                Tickets = isHit && call.Left != NoTicket ? (byte)(1 + (_scenario.IsFleet ? NameAt(call.Key, call.Takes) : call.Key)) : (byte)0,
                Time = call.Left == NoTicket ? (byte)0 : call.Left,
            };
            _clients.Call(ref part.Machine, answered);
            Give(ref world, client, call.Key, call.Version, call.Required, $"{NameOf(client)}'s near get got", moves);
            call = default;
        }
    }

    // Adds the move in which many other keys change. The client receives as many tickets of these keys as it can remember.
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
}
