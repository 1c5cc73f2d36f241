using Larder.Client.Tests.Support;
using Larder.Harness.Proxies;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests that a change in one process reaches the copies of another.</summary>
public sealed class HybridCoherenceTests
{
    [Fact]
    public async Task Removal_in_one_process_reaches_copies_of_another()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await CopyAsync(nodes);
        await nodes[0].RemoveAsync("a");
        Assert.Equal("new", await nodes.ReadAsync(0, "a", "new"));
        await EventuallyReads(nodes, "a", "new");
        Assert.Equal("b", await nodes.ReadAsync(1, "b", "other"));
        await nodes[1].RemoveAsync(["a", "b", "none"]);
        await EventuallyReads(nodes, "a", "newest");
        await EventuallyReads(nodes, "b", "newest");
    }

    [Fact]
    public async Task Set_in_one_process_reaches_copies_of_another()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await CopyAsync(nodes);
        await nodes[0].SetAsync("a", "set");
        Assert.Equal("set", await nodes.ReadAsync(0, "a", "other"));
        await EventuallyReads(nodes, "a", "set");
    }

    [Fact]
    public async Task Tag_removal_in_one_process_reaches_copies_of_another()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await CopyAsync(nodes);
        await nodes[0].RemoveByTagAsync("x");
        await EventuallyReads(nodes, "a", "new", tags: ["x"]);
        Assert.Equal("b", await nodes.ReadAsync(1, "b", "other"));
        await nodes[0].RemoveByTagAsync(["none", "y", "x"]);
        await EventuallyReads(nodes, "a", "newest");
        await EventuallyReads(nodes, "b", "newest");
    }

    [Fact]
    public async Task Wildcard_removes_only_entries_of_this_HybridCache()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        int other = nodes.Add(nodes.Server.Port, static options => options.KeyPrefix = "other:");
        await CopyAsync(nodes);
        await nodes.ReadAsync(0, "untagged", "c");
        await nodes.ReadAsync(other, "a", "another application");
        await nodes.ClientOf(0).Cache("cache").SetAsync("item", "kept");
        await nodes[0].RemoveByTagAsync("*");
        await EventuallyReads(nodes, "a", "new");
        await EventuallyReads(nodes, "b", "new");
        await EventuallyReads(nodes, "untagged", "new");
        Assert.Equal("another application", await nodes.ReadAsync(other, "a", "new"));
        Expect.Hit(await nodes.ClientOf(0).Cache("cache").GetAsync("item"));
    }

    [Fact]
    public async Task Process_cut_off_from_the_server_stops_serving_copies()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await using FaultProxy proxy = new(nodes.Server.Port);
        int cut = nodes.Add(proxy.Port, client: static options => options.RequestTimeout = TimeSpan.FromSeconds(1));
        await nodes.ReadAsync(0, "a", "old");
        await nodes.CopiedAsync<string>(cut, "a");
        proxy.LoseAll();
        await nodes[0].RemoveAsync("a");
        await Eventually.Holds(
            () => nodes.ReadAsync(cut, "a", "from the factory").AsTask().GetAwaiter().GetResult() == "from the factory", "the copy has ended");
        Assert.Equal("new", await nodes.ReadAsync(0, "a", "new"));
    }

    [Fact]
    public async Task Value_loaded_before_a_removal_is_not_stored()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        foreach (string remove in (string[])["key", "tag", "everything", "set"])
        {
            TaskCompletionSource started = new();
            TaskCompletionSource<string> release = new();
            Task<string> load = nodes[0].GetOrCreateAsync(
                remove,
                async _ =>
                {
                    started.SetResult();
                    return await release.Task;
                },
                tags: ["t"]).AsTask();
            await started.Task;
            await (remove switch
            {
                "key" => nodes[1].RemoveAsync(remove),
                "tag" => nodes[1].RemoveByTagAsync("t"),
                "everything" => nodes[1].RemoveByTagAsync("*"),
                _ => nodes[1].SetAsync(remove, "new"),
            });
            release.SetResult("old");
            Assert.Equal("old", await load);
            Assert.Equal("new", await nodes.ReadAsync(1, remove, "new", tags: ["t"]));
            await EventuallyReads(nodes, remove, "new", node: 0);
        }
    }

    [Fact]
    public async Task Caller_after_a_removal_does_not_join_an_older_load()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        TaskCompletionSource started = new();
        TaskCompletionSource<string> release = new();
        Task<string> older = nodes[0].GetOrCreateAsync("k", async _ =>
        {
            started.SetResult();
            return await release.Task;
        }).AsTask();
        await started.Task;
        await nodes[0].RemoveAsync("k");
        Assert.Equal("new", await Eventually.Within(nodes.ReadAsync(0, "k", "new")));
        release.SetResult("old");
        Assert.Equal("old", await older);
        Assert.Equal("new", await nodes.ReadAsync(0, "k", "other"));
    }

    private static async Task CopyAsync(HybridNodes nodes)
    {
        await nodes.ReadAsync(0, "a", "a", tags: ["x", "both"]);
        await nodes.ReadAsync(0, "b", "b", tags: ["y", "both"]);
        foreach (int node in (int[])[0, 1])
        {
            await nodes.CopiedAsync<string>(node, "a");
            await nodes.CopiedAsync<string>(node, "b");
        }
    }

    private static Task EventuallyReads(HybridNodes nodes, string key, string expected, int node = 1, string[]? tags = null) => Eventually.Holds(
        () => nodes.ReadAsync(node, key, expected, tags: tags).AsTask().GetAwaiter().GetResult() == expected, $"{key} is {expected}");
}
