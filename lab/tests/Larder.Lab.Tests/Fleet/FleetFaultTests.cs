using Larder.Lab.Fleet;
using Xunit.Abstractions;

namespace Larder.Lab.Tests.Fleet;

/// <summary>S5a to S5j (docs/faults.md) with real redis-servers, gateways and a client. Each scenario reports what the client saw.</summary>
public sealed class FleetFaultTests(FleetFaultTests.Shared shared, ITestOutputHelper output) : IClassFixture<FleetFaultTests.Shared>
{
    [LongFact]
    public Task S5a_a_killed_masters_slots_work_again_on_its_replica_and_no_call_to_others_fails() => ShowAsync(MasterFaults.KilledAsync(shared.Fleet));

    [Fact]
    public Task S5b_while_a_master_stands_still_for_3_s_no_call_fails() =>
        ShowAsync(MasterFaults.StoppedAsync(shared.Fleet, TimeSpan.FromSeconds(3)));

    [LongFact]
    public Task S5b_a_master_that_stands_still_for_20_s_is_replaced_and_comes_back_as_a_replica() =>
        ShowAsync(MasterFaults.StoppedAsync(shared.Fleet, TimeSpan.FromSeconds(20)));

    [Fact]
    public Task S5c_no_call_fails_while_slots_move() => ShowAsync(SlotFaults.ReshardedAsync(shared.Fleet, 100));

    [LongFact]
    public Task S5d_no_call_fails_while_a_node_joins_and_leaves() => ShowAsync(SlotFaults.AddedAndRemovedAsync(shared.Fleet, 200));

    [Fact]
    public Task S5e_without_memory_sets_are_resource_exhausted_gets_go_on_and_it_recovers() => ShowAsync(NodeFaults.OutOfMemoryAsync());

    [Fact]
    public Task S5f_a_wrong_password_is_no_callers_fault_and_one_that_is_put_back_is_taken() => ShowAsync(NodeFaults.RefusedAsync());

    [LongFact]
    public Task S5g_with_all_nodes_down_calls_fail_and_with_all_up_they_work() => ShowAsync(MasterFaults.AllDownAsync(shared.Fleet));

    [Fact]
    public Task S5h_no_idempotent_call_fails_while_one_gateway_of_two_is_killed_and_comes_back() => ShowAsync(GatewayFaults.KilledAsync(shared.Fleet));

    [LongFact]
    public Task S5i_a_client_that_is_cut_off_from_one_gateway_goes_on_with_the_other() =>
        ShowAsync(GatewayFaults.CutOffAsync(shared.Fleet, TimeSpan.FromSeconds(10)));

    [Fact]
    public Task S5j_a_second_after_one_gateway_has_flushed_another_serves_nothing_old() => ShowAsync(GatewayFaults.FlushedAsync(shared.Fleet, 2));

    private async Task ShowAsync(Task<FaultResult> run)
    {
        FaultResult result = await run;
        output.WriteLine(result.ToString());
        Assert.True(result.Passed, result.ToString());
    }

    /// <summary>One fleet for all scenarios, which run sequentially and restore it at their end.</summary>
    public sealed class Shared : IAsyncLifetime
    {
        internal FleetUnderTest Fleet { get; private set; } = null!;

        public async Task InitializeAsync() => Fleet = await FleetUnderTest.StartAsync();

        public async Task DisposeAsync() => await Fleet.DisposeAsync();
    }
}
