using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;
using static Larder.Protocol.GetOrLeaseResponse;

namespace Larder.Server.Tests.Leases;

public sealed class LeaseServiceTests : LeaseCallTests
{
    [Fact]
    public async Task LEASE_8_lease_request_over_the_limit_fails_and_other_calls_continue()
    {
        await TakeAllAsync();
        Assert.Equal(StatusCode.ResourceExhausted, await RefusedAsync("GetOrLease", Ask("one more")));
        Assert.Equal(OutcomeOneofCase.Elsewhere, (await AskAsync("0 0")).OutcomeCase);
        Assert.True(await StoreAsync("0 0", "v", ByteString.Empty));
        Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync("one more")).OutcomeCase);
        Assert.Equal(StatusCode.ResourceExhausted, await RefusedAsync("GetOrLease", Ask("and one more")));
    }

    [Fact]
    public async Task LEASE_8_cache_gets_lease_although_another_cache_used_up_its_leases()
    {
        await Server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "neighbour" });
        await TakeAllAsync();
        RpcHeaders neighbour = RunningServer.CacheHeaders("neighbour");
        GetOrLeaseResponse lease = await CallAsync<GetOrLeaseResponse>("/larder.v1.Extras/GetOrLease", Ask("k", leaseMs: 600_000), neighbour);
        Assert.Equal(OutcomeOneofCase.Lease, lease.OutcomeCase);
        SetWithLeaseRequest set = Store("k", "v", lease.Lease.Token, 60_000, 0, null);
        SetWithLeaseResponse stored = await CallAsync<SetWithLeaseResponse>("/larder.v1.Extras/SetWithLease", set, neighbour);
        Assert.Equal(SetWithLeaseResponse.OutcomeOneofCase.Stored, stored.OutcomeCase);
    }

    private protected override Task<RunningServer> StartAsync() => RunningServer.StartAsync();

    // Takes all leases of the server for one cache.
    private Task TakeAllAsync() => Task.WhenAll(Enumerable.Range(0, 64).Select(async part =>
    {
        for (int i = 0; i < 1_024; i++)
        {
            Assert.Equal(OutcomeOneofCase.Lease, (await AskAsync($"{part} {i}", leaseMs: 600_000)).OutcomeCase);
        }
    }));
}
