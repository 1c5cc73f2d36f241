using FsCheck;
using FsCheck.Fluent;
using Larder.Client.Near;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>Tests that a model can use the numbered states of a machine instead of the machine itself.</summary>
public sealed class RecordedTests
{
    private const int Calls = 40;

    [Fact]
    public void Client_state_machine_matches_the_real_client_for_random_calls()
    {
        Scenario scenario = Scenarios.Walks[0] with { ExpiresAt = 1 };
        ClientMachine machine = new(scenario, Safeguard.None);
        Arbitrary<int[]> choices = Gen.Choose(0, int.MaxValue - 1).ArrayOf(Calls).ToArbitrary();
        Property property = Prop.ForAll(choices, all =>
        {
            ClientUnderTest called = new(scenario, Safeguard.None);
            int state = machine.Start();
            byte now = 0;
            foreach (int choice in all)
            {
                ClientCall call = CallOf(choice, called, ref now);
                Assert.Equal(called.Call(call), machine.Call(ref state, call));
            }
        });
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(1_000));
    }

    [Fact]
    public void ClientDescription_excludes_only_existing_fields()
    {
        IEnumerable<string> fields = ClientDescription.FieldsOf(typeof(NearState)).Select(static field => $"{nameof(NearState)}.{field.Name}");

        Assert.Subset(fields.ToHashSet(), ClientDescription.LeftOut.ToHashSet());
    }

    // Returns a random call that is valid in the current state. For example, only a get in flight can be answered.
    private static ClientCall CallOf(int choice, ClientUnderTest client, ref byte now)
    {
        var random = new Random(choice);
        byte operation = (byte)random.Next(Scenario.CallsOfClient);
        byte key = (byte)random.Next(2);
        byte stream = (byte)random.Next(1, 3);
        now = (byte)Math.Min(now + (random.Next(8) == 0 ? 1 : 0), 60);
        NearGet? get = client.Gets[operation];
        ClientCallKind kind = get is null ? ClientCallKind.Begin : random.Next(2) == 0 ? ClientCallKind.Answered : ClientCallKind.Failed;
        kind = random.Next(2) == 0 ? kind : (ClientCallKind)random.Next((int)ClientCallKind.Flooded);
        bool isOfGet = kind is ClientCallKind.Answered or ClientCallKind.Failed;
        if ((isOfGet && get is null) || (kind == ClientCallKind.Begin && get is not null))
        {
            kind = ClientCallKind.Find;
        }

        return kind switch
        {
            ClientCallKind.Opened or ClientCallKind.Renewed => new ClientCall(kind, Now: now, Stream: stream, Time: (byte)Math.Max(0, now - random.Next(2))),
            ClientCallKind.Answered => new ClientCall(
                kind,
                Now: now,
                Operation: operation,
                Key: (byte)(get!.Flight.Key[1] - '0'),
                Version: (byte)random.Next(4),
                Tickets: (byte)(random.Next(4) == 0 ? 0 : 1 + get.Flight.Key[1] - '0'),
                Time: (byte)random.Next(4)),
            ClientCallKind.Invalidated => new ClientCall(kind, Stream: stream, Tickets: (byte)random.Next(1, 4)),
            _ => new ClientCall(kind, Now: now, Stream: stream, Operation: operation, Key: key),
        };
    }
}
