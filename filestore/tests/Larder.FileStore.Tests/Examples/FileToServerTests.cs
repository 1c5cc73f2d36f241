using System.Net;
using Larder.Harness.Servers;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests the example program in which a change of one registration replaces the file cache with a server. The same scenario runs over HTTP with the file and
/// with the server.
/// </summary>
public sealed class FileToServerTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly HttpClient _http = new(new HttpClientHandler { CookieContainer = new CookieContainer() });

    public void Dispose()
    {
        _http.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public Task Two_processes_share_session_and_values_through_file() => CheckScenario();

    [Fact]
    public async Task Two_processes_share_session_and_values_through_server()
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await CheckScenario("--Server", server.Endpoint.ToString().TrimEnd('/'));
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    private async Task CheckScenario(params string[] arguments)
    {
        using WebProcess first = WebProcess.StartExample("FileToServer", ["--Folder", _folder.Path, .. arguments]);
        using WebProcess second = WebProcess.StartExample("FileToServer", ["--Folder", _folder.Path, .. arguments]);
        await CheckSession(first, second);
        await CheckCoherence(first, second);
        await CheckExactBytes(first, second);
        await CheckExpiry(first, second);
    }

    private async Task CheckSession(WebProcess first, WebProcess second)
    {
        Assert.Equal("1", await _http.GetStringAsync(first.Url("/visits")));
        Assert.Equal("2", await _http.GetStringAsync(second.Url("/visits")));
        Assert.Equal("3", await _http.GetStringAsync(first.Url("/visits")));
    }

    private async Task CheckCoherence(WebProcess first, WebProcess second)
    {
        for (byte i = 0; i < 100; i++)
        {
            (WebProcess writer, WebProcess reader) = i % 2 == 0 ? (first, second) : (second, first);
            await Put(writer, "key", [i]);
            Assert.Equal([i], (await Get(reader, "key"))!);
        }
        (await _http.DeleteAsync(first.Url("/values/key"))).EnsureSuccessStatusCode();
        Assert.Null(await Get(second, "key"));
        Assert.Null(await Get(second, "never set"));
    }

    private async Task CheckExactBytes(WebProcess first, WebProcess second)
    {
        foreach (int size in (int[])[0, 1, 1000, 1 << 20])
        {
            byte[] value = new byte[size];
            new Random(size).NextBytes(value);
            await Put(first, "bytes", value);
            Assert.Equal(value, (await Get(second, "bytes"))!);
        }
    }

    /// <summary>Checks that entries do not expire early. The test polls until the entries have expired, instead of measuring when they expire.</summary>
    private async Task CheckExpiry(WebProcess first, WebProcess second)
    {
        await Put(first, "long", [1], "?seconds=3600&slidingSeconds=1800");
        (await _http.PostAsync(second.Url("/values/long/refresh"), null)).EnsureSuccessStatusCode();
        Assert.Equal([1], (await Get(second, "long"))!);
        await Put(first, "short", [2], "?seconds=1");
        Until.True(() => Get(second, "short").GetAwaiter().GetResult() is null);
        // A set without an expiration removes the previous expiration.
        await Put(first, "short", [3], "?seconds=3600");
        await Put(second, "short", [4]);
        Assert.Equal([4], (await Get(first, "short"))!);
    }

    private async Task Put(WebProcess process, string key, byte[] value, string query = "") =>
        (await _http.PutAsync(process.Url($"/values/{key}{query}"), new ByteArrayContent(value))).EnsureSuccessStatusCode();

    private async Task<byte[]?> Get(WebProcess process, string key)
    {
        using HttpResponseMessage response = await _http.GetAsync(process.Url("/values/" + Uri.EscapeDataString(key)));
        return response.StatusCode == HttpStatusCode.NotFound ? null : await response.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync();
    }
}
