using Larder.Harness.Browsers;

namespace Larder.Report.Tests.Browsers;

/// <summary>A test that opens a page in Chromium. It is skipped if Chromium is missing.</summary>
internal sealed class BrowserFactAttribute : FactAttribute
{
    public BrowserFactAttribute()
    {
        if (!File.Exists(Browser.Path))
        {
            Skip = $"{Browser.Path} is missing: tools/setup browser installs it";
        }
    }
}
