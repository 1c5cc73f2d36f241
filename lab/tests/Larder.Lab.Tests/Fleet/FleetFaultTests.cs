using Larder.Lab.Fleet;
using Xunit.Abstractions;

namespace Larder.Lab.Tests.Fleet;

/// <summary>
/// Tests the scenarios S5a to S5j (docs/faults.md) with real redis-servers, gateways and a client. Each scenario reports what the client observed.
/// </summary>
public sealed class FleetFaultTests(FleetFaultTests.Shared shared, ITestOutputHelper output) : IClassFixture<FleetFaultTests.Shared>
{
    [LongFact]
    public Task S5a_Slots_of_killed_master_recover_on_replica_without_other_failures() => ShowAsync(MasterFaults.KilledAsync(shared.Fleet));

    [Fact]
    public Task S5b_No_call_fails_while_master_is_paused_3_s() =>
        ShowAsync(MasterFaults.StoppedAsync(shared.Fleet, TimeSpan.FromSeconds(3)));

    [LongFact]
    public Task S5b_Master_paused_20_s_is_replaced_and_becomes_replica() =>
        ShowAsync(MasterFaults.StoppedAsync(shared.Fleet, TimeSpan.FromSeconds(20)));

    [Fact]
    public Task S5c_No_call_fails_while_slots_move() => ShowAsync(SlotFaults.ReshardedAsync(shared.Fleet, 100));

    [LongFact]
    public Task S5d_No_call_fails_while_node_joins_and_leaves() => ShowAsync(SlotFaults.AddAndRemoveNodeAsync(shared.Fleet, 200));

    [Fact]
    public Task S5e_Out_of_memory_node_rejects_writes_and_recovers() => ShowAsync(NodeFaults.OutOfMemoryAsync());

    [Fact]
    public Task S5f_Wrong_password_fails_calls_with_Internal_until_corrected() => ShowAsync(NodeFaults.RefusedAsync());

    [LongFact]
    public Task S5g_Calls_fail_while_all_nodes_are_down_and_succeed_afterwards() => ShowAsync(MasterFaults.AllDownAsync(shared.Fleet));

    [Fact]
    public Task S5h_No_idempotent_call_fails_while_one_gateway_restarts() => ShowAsync(GatewayFaults.KilledAsync(shared.Fleet));

    [LongFact]
    public Task S5i_Client_cut_off_from_one_gateway_uses_the_other() =>
        ShowAsync(GatewayFaults.CutOffAsync(shared.Fleet, TimeSpan.FromSeconds(10)));

    [Fact]
    public Task S5j_Flush_on_one_gateway_reaches_others_within_a_second() => ShowAsync(GatewayFaults.FlushedAsync(shared.Fleet, 2));

    private async Task ShowAsync(Task<FaultResult> run)
    {
        FaultResult result = await run;
        output.WriteLine(result.ToString());
        Assert.True(result.Passed, result.ToString());
    }

    /// <summary>The fleet that all scenarios share. Scenarios run sequentially, and each restores the fleet at its end.</summary>
    public sealed class Shared : IAsyncLifetime
    {
        internal FleetUnderTest Fleet { get; private set; } = null!;

        public async Task InitializeAsync() => Fleet = await FleetUnderTest.StartAsync();

        public async Task DisposeAsync() => await Fleet.DisposeAsync();
    }
}
