using Larder.Harness.Browsers;

namespace Larder.Report.Tests.Browsers;

/// <summary>One browser for all tests of the collection, because starting a browser takes seconds. Each test opens its own tab.</summary>
[CollectionDefinition(Name)]
public sealed class SharedBrowser : IAsyncLifetime, ICollectionFixture<SharedBrowser>
{
    public const string Name = "browser";

    private Browser? _browser;

    public async Task InitializeAsync() => _browser = File.Exists(Browser.Path) ? await Browser.StartAsync() : null;

    public Task<BrowserPage> OpenAsync() => _browser!.OpenAsync();

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.DisposeAsync();
        }
    }
}
