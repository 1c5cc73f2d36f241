using System.Net;
using Larder.FileStore.Tests.Support;
using Larder.Harness.Processes;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests.Snapshots;

public sealed class WarmRestartTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly HttpClient Http = new();
    private static readonly RpcMethod<ListPushBackRequest, ListPushBackResponse> s_push = new(
        "/cache_client.Scs/ListPushBack",
        new ProtobufCodec<ListPushBackRequest>(),
        new ProtobufCodec<ListPushBackResponse>());

    private static readonly RpcMethod<ListFetchRequest, ListFetchResponse> s_fetch = new(
        "/cache_client.Scs/ListFetch",
        new ProtobufCodec<ListFetchRequest>(),
        new ProtobufCodec<ListFetchResponse>());

    private readonly SnapshotServer _server = new();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    Task IAsyncLifetime.InitializeAsync() => Task.CompletedTask;

    // The test runner calls this overload.
    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    [Fact]
    public async Task Restart_restores_items_and_reports_their_number()
    {
        await _server.StartAsync();
        await _server.SetAsync("k", "v");
        await _server.StopAsync();
        Assert.Equal(["cache.snapshot", "cache.snapshot.lock"], _server.Files);
        await _server.StartAsync();
        Assert.True(await _server.HasAsync("k"));
        Assert.Equal("ok\n", await _server.ReadAsync("/health"));
        string metrics = await _server.ReadAsync("/metrics");
        Assert.Contains("larder_snapshot_loaded_entries 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_written_total 0\n", metrics, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_last_success_timestamp_seconds 0\n", metrics, StringComparison.Ordinal);
        Assert.Contains("\"loadedEntries\":1", await _server.ReadAsync("/stats"), StringComparison.Ordinal);
        Assert.Empty(_server.Lines.Of(LogLevel.Warning).Concat(_server.Lines.Of(LogLevel.Error)));
    }

    [Fact]
    public async Task Collections_survive_restart_without_warnings()
    {
        await _server.StartAsync();
        foreach (string element in (string[])["b", "a", "b"])
        {
            ListPushBackRequest push = new() { Name = CallHarness.Bytes("l"), Value = CallHarness.Bytes(element), TtlMs = 600_000 };
            await _server.Channel.CallAsync(s_push, push);
        }

        await _server.StopAsync();
        await _server.StartAsync();
        ListFetchResponse fetched = await _server.Channel.CallAsync(s_fetch, new ListFetchRequest { Name = CallHarness.Bytes("l") });
        Assert.Equal(["b", "a", "b"], fetched.Found.Elements.Select(value => value.ToStringUtf8()));
        Assert.Contains("larder_snapshot_loaded_entries 1\n", await _server.ReadAsync("/metrics"), StringComparison.Ordinal);
        Assert.Empty(_server.Lines.Of(LogLevel.Warning).Concat(_server.Lines.Of(LogLevel.Error)));
    }

    [Fact]
    public async Task Occupied_port_is_reported_before_the_snapshot_is_touched()
    {
        await File.WriteAllTextAsync(_server.Path, "no snapshot");
        using System.Net.Sockets.TcpListener taken = new(IPAddress.Loopback, 0);
        taken.Start();
        int port = ((IPEndPoint)taken.LocalEndpoint).Port;
        ServerOptionsException refused = await Assert.ThrowsAsync<ServerOptionsException>(() => _server.StartAsync(options => options with { Port = port }));
        Assert.Contains($"port {port} is already in use; stop the other process, or pass another --port", refused.Message, StringComparison.Ordinal);
        Assert.Contains("--port", refused.Message, StringComparison.Ordinal);
        Assert.Equal("no snapshot", await File.ReadAllTextAsync(_server.Path));
    }

    [Fact]
    public async Task Server_without_snapshot_option_writes_no_files()
    {
        await _server.StartAsync(options => options with { SnapshotPath = null });
        Assert.DoesNotContain("larder_snapshot", await _server.ReadAsync("/metrics"), StringComparison.Ordinal);
        (int status, string answer) = await _server.CommandAsync();
        Assert.Equal(409, status);
        Assert.Contains("--snapshot FILE", answer, StringComparison.Ordinal);
        await _server.StopAsync();
        Assert.Empty(_server.Files);
    }

    [Fact]
    public async Task Health_reports_loading_during_start_and_cancelled_start_keeps_snapshot()
    {
        await _server.StartAsync();
        await _server.SetAsync("k", "v");
        await _server.StopAsync();
        byte[] good = await File.ReadAllBytesAsync(_server.Path);
        HeldWallClock clock = new();
        clock.Hold();
        (int port, int console) = (FreePorts.Next(), FreePorts.Next());
        using CancellationTokenSource givenUp = new();
        Task start = _server.StartAsync(options => options with { TimeProvider = clock, Port = port, ConsolePort = console }, givenUp.Token);
        await clock.AskedAsync();
        using HttpResponseMessage health = await Http.GetAsync(new Uri($"http://127.0.0.1:{console}/health"));
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "loading\n"), (health.StatusCode, await health.Content.ReadAsStringAsync()));
        using System.Net.Sockets.TcpClient caller = new();
        await Assert.ThrowsAsync<System.Net.Sockets.SocketException>(() => caller.ConnectAsync(IPAddress.Loopback, port));
        await givenUp.CancelAsync();
        clock.Release();
        await Assert.ThrowsAsync<OperationCanceledException>(() => start);
        Assert.Equal(good, await File.ReadAllBytesAsync(_server.Path));
    }

    [Fact]
    public async Task S6_truncated_snapshot_is_renamed_and_server_starts_empty()
    {
        await _server.StartAsync();
        await _server.SetAsync("k", "v");
        await _server.StopAsync();
        byte[] torn = (await File.ReadAllBytesAsync(_server.Path))[..^10];
        await File.WriteAllBytesAsync(_server.Path, torn);
        await _server.StartAsync();
        Assert.False(await _server.HasAsync("k"));
        string aside = Assert.Single(_server.Files, file => file.Contains(".aside-", StringComparison.Ordinal));
        Assert.Equal(torn, await File.ReadAllBytesAsync(Path.Combine(_server.Folder, aside)));
        string line = Assert.Single(_server.Lines.Of(LogLevel.Error));
        Assert.Contains(aside, line, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_kept_aside 1\n", await _server.ReadAsync("/metrics"), StringComparison.Ordinal);
        await _server.SetAsync("new", "v");
        await _server.StopAsync();
        await _server.StartAsync();
        Assert.True(await _server.HasAsync("new"));
    }

    [Fact]
    public async Task S6_start_fails_for_invalid_missing_or_locked_snapshot_path()
    {
        await File.WriteAllTextAsync(_server.Path, "dear diary");
        ServerOptionsException foreign = await Assert.ThrowsAsync<ServerOptionsException>(() => _server.StartAsync());
        Assert.Contains("the file is not a Larder snapshot; the file was not changed", foreign.Message, StringComparison.Ordinal);
        Assert.Equal("dear diary", await File.ReadAllTextAsync(_server.Path));
        File.Delete(_server.Path);
        string nowhere = Path.Combine(_server.Folder, "none", "cache.snapshot");
        ServerOptionsException missing = await Assert.ThrowsAsync<ServerOptionsException>(() =>
            _server.StartAsync(options => options with { SnapshotPath = nowhere }));
        Assert.Contains($"cannot use --snapshot {nowhere}", missing.Message, StringComparison.Ordinal);
        await _server.StartAsync();
        ServerOptions second = new() { Port = 0, ConsolePort = 0, SnapshotPath = _server.Path };
        ServerOptionsException used = await Assert.ThrowsAsync<ServerOptionsException>(() => LarderServer.StartAsync(second));
        Assert.Contains("no other running server uses", used.Message, StringComparison.Ordinal);
    }

    [TmpfsFact]
    public async Task S6_full_disk_keeps_the_last_complete_snapshot()
    {
        using SmallDisk disk = new(Path.Combine(_server.Folder, "disk"));
        string path = Path.Combine(disk.Path, "cache.snapshot");
        await _server.StartAsync(options => options with { SnapshotPath = path });
        await _server.SetAsync("k", "v");
        Assert.Equal(200, (await _server.CommandAsync()).Status);
        for (int i = 0; i < 20; i++)
        {
            await _server.SetAsync($"large {i}", new string('x', 100_000));
        }

        (int status, string answer) = await _server.CommandAsync();
        Assert.Equal(500, status);
        Assert.Contains("the previous one is kept", answer, StringComparison.Ordinal);
        string metrics = await _server.ReadAsync("/metrics");
        Assert.Contains("larder_snapshot_failures_total 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains("larder_snapshot_written_total 1\n", metrics, StringComparison.Ordinal);
        await _server.StopAsync();
        Assert.Equal(2, _server.Lines.Of(LogLevel.Error).Count);
        await _server.StartAsync(options => options with { SnapshotPath = path });
        Assert.True(await _server.HasAsync("k"));
        Assert.False(await _server.HasAsync("large 1"));
    }
}
