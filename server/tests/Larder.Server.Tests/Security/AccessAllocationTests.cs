using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests that access checks allocate nothing. The allocations of the whole process are counted, including those of the client. Therefore, no other test runs
/// concurrently.
/// </summary>
[Collection(nameof(SequentialMeasurements))]
public sealed class AccessAllocationTests
{
    private const int Calls = 10_000;

    [Fact]
    public void Authorized_pipeline_operation_does_not_allocate()
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("web", "readwrite", RunningServer.Cache, expires: "2999-01-01T00:00:00Z"));
        AccessControl access = new("", tokens.Path, TimeProvider.System);
        Assert.Null(access.Authenticate(TokensOnDisk.SecretOf("web"), out AuthenticatedCaller? known));
        AccessSession.Opening opening = new(RunningServer.Cache, null, static (_, _, _) => { }, CancellationToken.None);
        using AccessSession session = access.Open(known!, opening);
        session.BeginTurn(TimeProvider.System.GetTimestamp());
        long before = 0;
        // Run twice, because the code is compiled in the first round.
        for (int round = 0; round < 2; round++)
        {
            before = GC.GetAllocatedBytesForCurrentThread();
            // Only the check of the wall clock, four times a second, may run during this loop. The test below limits the allocations of this check.
            for (int turn = 0; turn < Calls; turn++)
            {
                session.BeginTurn(long.MinValue + 1);
                Assert.Null(session.Refuse(4, default, default));
                Assert.Null(session.Refuse(5, "cache"u8, default));
            }
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public async Task Unary_call_with_token_file_allocates_no_more_than_without()
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("web", "readwrite", RunningServer.Cache, expires: "2999-01-01T00:00:00Z"));
        await using RunningServer without = await RunningServer.StartAsync();
        await using RunningServer with = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        RpcHeaders headers = RunningServer.CacheHeaders().With("authorization", TokensOnDisk.SecretOf("web"));
        long least = long.MaxValue;
        long leastWith = long.MaxValue;
        for (int round = 0; round < 4; round++)
        {
            least = Math.Min(least, await MadeAsync(without, headers));
            leastWith = Math.Min(leastWith, await MadeAsync(with, headers));
        }

        // The periodic check (four times a second) and the runtime itself allocate a few bytes per call.
        Assert.True(leastWith <= least + 16, $"{leastWith} bytes a call, {least} without");
    }

    private static async Task<long> MadeAsync(RunningServer server, RpcHeaders headers)
    {
        GetRequest request = new() { Key = CallHarness.Bytes("k") };
        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (int call = 0; call < Calls; call++)
        {
            await server.Channel.UnaryAsync(FaultCalls.GetMethod, request, headers, RunningServer.Patience, CancellationToken.None);
        }

        return (GC.GetTotalAllocatedBytes(precise: true) - before) / Calls;
    }
}
