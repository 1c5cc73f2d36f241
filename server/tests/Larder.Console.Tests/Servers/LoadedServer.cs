using Larder.Harness.Browsers;
using Larder.Harness.Servers;

namespace Larder.Console.Tests.Servers;

/// <summary>Two servers under load, which run as separate processes, and a browser. All tests share them.</summary>
public sealed class LoadedServer : IAsyncLifetime
{
    private ServerProcess? _server;
    private ServerProcess? _full;

    /// <summary>The console of the server that has less memory than its keys need. The other server has enough memory.</summary>
    internal Uri Full => _full!.Console;

    internal Browser Browser { get; private set; } = null!;

    internal Load Load { get; private set; } = null!;

    internal Load FullLoad { get; private set; } = null!;

    internal Uri Console => _server!.Console;

    public async Task InitializeAsync()
    {
        if (!File.Exists(Browser.Path))
        {
            throw new InvalidOperationException(
                $"{Browser.Path} is missing: 'tools/setup browser' installs it, or 'apt-get install chromium fonts-dejavu-core'");
        }

        _server = await ServerProcess.StartAsync();
        Load = new Load(_server.Endpoint);
        _full = await ServerProcess.StartAsync();
        FullLoad = new Load(_full.Endpoint, Load.TooManyKeys);
        Browser = await Browser.StartAsync();
    }

    public async Task DisposeAsync()
    {
        await Load.DisposeAsync();
        await FullLoad.DisposeAsync();
        await Browser.DisposeAsync();
        _server!.Dispose();
        _full!.Dispose();
    }
}
