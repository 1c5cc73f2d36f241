using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Machines;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>Contains the moves of the clients' calls.</summary>
internal sealed partial class NearWorld
{
    private void AddCalls(in World world, int client, Moves<World> moves)
    {
        int operation = NextOperationOf(world, client);
        if (world.Clients[client].CallsLeft == 0 || operation < 0)
        {
            return;
        }

        OperationKind kinds = _scenario.KindsOf(client);
        if (VersionsOf(world) >= Scenario.MaxVersions)
        {
            kinds &= ~(OperationKind.Writes | OperationKind.Flush);
        }

        for (int key = 0; key < _scenario.Keys; key++)
        {
            if (kinds.HasFlag(OperationKind.NearGet))
            {
                AddNearGet(world, client, operation, key, moves);
            }

            for (OperationKind kind = OperationKind.PlainRead; kind <= OperationKind.LargeWrite; kind = (OperationKind)((int)kind << 1))
            {
                if (kinds.HasFlag(kind))
                {
                    AddCall(world, client, operation, key, kind, moves);
                }
            }
        }

        if (kinds.HasFlag(OperationKind.Flush))
        {
            AddCall(world, client, operation, 0, OperationKind.Flush, moves);
        }
    }

    // Returns the highest version that a key can have when all writes in progress have been applied.
    private static int VersionsOf(in World world)
    {
        int versions = Math.Max(world.Keys[0].Version, world.Keys[1].Version);
        foreach (Operation call in world.Operations)
        {
            versions += call.IsUnderWay && !call.IsVisible && (call.IsWrite || call.Kind == OperationKind.Flush) ? 1 : 0;
        }

        return versions;
    }

    // Returns the index of the operation for the client's next call, or -1 if no operation is free. Calls use the operations in index order, so that the near
    // gets of a stream run in the order of the calls. If a client makes more calls than it has operations, any free operation is used.
    private int NextOperationOf(in World world, int client)
    {
        int first = client * Scenario.CallsOfClient;
        int next = first + Math.Max(0, _scenario.CallsOf(client) - world.Clients[client].CallsLeft);
        if (_scenario.CallsOf(client) > Scenario.CallsOfClient)
        {
            for (next = first; next < first + Scenario.CallsOfClient && world.Operations[next].IsUnderWay; next++)
            {
            }
        }

        return next < first + Scenario.CallsOfClient ? next : -1;
    }

    private void AddNearGet(in World world, int client, int operation, int key, Moves<World> moves)
    {
        World next = world;
        ref ClientPart part = ref next.Clients[client];
        part.CallsLeft--;
        long found = _clients.Call(ref part.Machine, new ClientCall(ClientCallKind.Find, Now: world.Now, Key: (byte)key));
        if (found > 0)
        {
            byte version = VersionOf(world, client, key, value: (byte)(found - 1));
            if (_scenario.Expires && key == 0 && version == 0 && world.Now >= _scenario.ExpiresAt)
            {
                moves.Break($"{NameOf(client)} was served k{key} after it had expired");
            }

            Give(ref next, client, key, version, world.Clients[client].Floors[key], $"{NameOf(client)} was served a copy of", moves);
            Add(ref next, moves, $"{NameOf(client)} calls a near get of k{key}: a hit, v{version}");
            return;
        }

        int stream = NearStreamOf(world, client);
        ref Operation call = ref next.Operations[operation];
        call.Key = (byte)key;
        call.Required = world.Clients[client].Floors[key];
        if (stream >= 0)
        {
            call.Kind = OperationKind.NearGet;
            Send(ref next, operation, stream);
            Add(ref next, moves, $"{NameOf(next, operation)} is sent on stream {stream}");
        }
        else if (_scenario.Loses || _scenario.Replaces)
        {
            call.Kind = OperationKind.PlainRead;
            call.Step = OperationStep.Sent;
            Add(ref next, moves, $"{NameOf(next, operation)} is sent: there is no near stream");
        }
    }

    // Several versions can have the same value. Returns the version that a copy with this value is assumed to have, which is the first one that the client may
    // read. If the client may read none of them, returns the last one.
    private byte VersionOf(in World world, int client, int key, byte value)
    {
        byte newest = 0;
        for (byte version = 0; version <= world.Keys[key].Version; version++)
        {
            if (_scenario.ValueOf(version) == value)
            {
                newest = version;
                if (version >= world.Clients[client].Floors[key])
                {
                    break;
                }
            }
        }

        return newest;
    }

    private void AddCall(in World world, int client, int operation, int key, OperationKind kind, Moves<World> moves)
    {
        World next = world;
        next.Clients[client].CallsLeft--;
        ref Operation call = ref next.Operations[operation];
        call.Kind = kind;
        call.Step = OperationStep.Sent;
        call.Key = (byte)key;
        if (kind == OperationKind.PlainRead)
        {
            call.Required = world.Clients[client].Floors[key];
        }

        if (!Has(Safeguard.EndCounts))
        {
            End(ref next, client, call);
        }

        if (SendsSeparately)
        {
            Add(ref next, moves, $"{NameOf(next, operation)} is sent");
        }
        else
        {
            AddSteps(next, operation, moves);
        }
    }

    // Sending a call has no effect of its own unless the call can end early. So the send is usually combined with the first step of the call.
    private bool SendsSeparately => _scenario.Errors > 0 || _scenario.Opens || !Has(Safeguard.EndCounts);

    // Writes a near get into a stream.
    private void Send(ref World world, int operation, int stream)
    {
        ref Operation call = ref world.Operations[operation];
        call.Step = OperationStep.Sent;
        call.Stream = (byte)stream;
        ref ClientPart client = ref world.Clients[ClientOfOperation(operation)];
        _clients.Call(ref client.Machine, CallOf(ClientCallKind.Begin, world.Now, operation, call) with { Stream = (byte)(stream + 1) });
    }

    // Ends a call, just before its caller gets the result. If the call is not a near get, notifies the near state.
    private void End(ref World world, int client, in Operation call)
    {
        ref ClientPart part = ref world.Clients[client];
        ClientCallKind kind = call.Kind switch
        {
            OperationKind.Flush => ClientCallKind.Flushed,
            OperationKind.NearGet or OperationKind.PlainRead => ClientCallKind.EndedRead,
            _ => ClientCallKind.EndedWrite,
        };
        if (_scenario.HasNear(client))
        {
            _clients.Call(ref part.Machine, new ClientCall(kind, Key: call.Key));
        }
    }

    // Adds the move that delivers the result of a plain read or a write to the client.
    private void AddEnd(in World world, int operation, Moves<World> moves)
    {
        World next = world;
        int client = ClientOfOperation(operation);
        Operation call = world.Operations[operation];
        if (!call.IsOrphan)
        {
            if (Has(Safeguard.EndCounts))
            {
                End(ref next, client, call);
            }

            if (call.Kind == OperationKind.PlainRead)
            {
                Give(ref next, client, call.Key, call.Version, call.Required, $"{NameOf(client)}'s plain read got", moves);
            }
            else
            {
                FinishWrite(ref next, client, call);
            }
        }

        // The caller has the response, but the server has not announced the write yet. So the operation continues without the caller.
        if (call.Step == OperationStep.Visible)
        {
            next.Operations[operation].IsOrphan = true;
        }
        else
        {
            next.Operations[operation] = default;
        }

        Add(ref next, moves, $"{NameOf(world, operation)} is over: v{call.Version}");
    }

    private void FinishWrite(ref World world, int client, in Operation call)
    {
        Finish(ref world, client, call.Key, call.Version);
        if (call.Kind == OperationKind.Flush && _scenario.Keys > 1)
        {
            Finish(ref world, client, 1, call.SecondVersion);
        }
    }

    // Adds the move in which a call fails or its caller cancels it. The server continues the call.
    private void AddError(in World world, int operation, Moves<World> moves)
    {
        int client = ClientOfOperation(operation);
        Operation call = world.Operations[operation];
        if (world.Clients[client].ErrorsLeft == 0 || call.IsOrphan)
        {
            return;
        }

        World next = world;
        ref ClientPart part = ref next.Clients[client];
        part.ErrorsLeft--;
        next.Operations[operation].IsOrphan = true;
        if (call.IsNearGet && call.Step > OperationStep.Waiting)
        {
            _clients.Call(ref part.Machine, CallOf(ClientCallKind.Failed, world.Now, operation, call));
        }

        if (Has(call.IsNearGet ? Safeguard.FailedReadsTell : Safeguard.ErrorsTell))
        {
            End(ref next, client, call);
        }

        // The client does not know whether the write succeeded. If the write was already visible, the client must not read an older version from now on.
        if (call.IsWrite && call.IsVisible)
        {
            Raise(ref part.Floors[call.Key], call.Version);
        }

        if (call.Kind == OperationKind.PlainRead || call.Step == OperationStep.Waiting)
        {
            next.Operations[operation] = default;
        }

        moves.Rarely();
        Add(ref next, moves, $"{NameOf(world, operation)} ends in an error for its caller");
    }

    private static int NearStreamOf(in World world, int client)
    {
        int first = client * Scenario.StreamsOfClient;
        for (int stream = first; stream < first + Scenario.StreamsOfClient; stream++)
        {
            if (world.Streams[stream].Client == ClientSide.Near)
            {
                return stream;
            }
        }

        return -1;
    }

    private static ClientCall CallOf(ClientCallKind kind, byte now, int operation, in Operation call) =>
        new(kind, Now: now, Operation: (byte)(operation % Scenario.CallsOfClient), Key: call.Key);
}
