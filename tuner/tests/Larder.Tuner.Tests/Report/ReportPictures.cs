using Larder.Tuner.Report.Page;
using Larder.Tuner.Tests.Browsers;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Report;

/// <summary>
/// Makes the README's pictures: LARDER_PICTURES names the folder for them, LARDER_DARK asks for dark ones, LARDER_RUN the run's JSON (the committed small one
/// where it is not set).
/// </summary>
public sealed class ReportPictures
{
    private static readonly (string Name, string? Selector)[] s_pictures =
    [
        ("report", null),
        ("report-search", "section:has(#throughput) .figures"),
        ("report-proof", "section:has(#proof-rate) .figures"),
        ("report-tail", "section:has(#heat) .figures"),
    ];

    [PicturesFact]
    public async Task Pictures_of_a_report_are_made_where_they_are_asked_for()
    {
        DirectoryInfo folder = Directory.CreateDirectory(Environment.GetEnvironmentVariable(PicturesFactAttribute.Folder)!);
        TuneRun run = Environment.GetEnvironmentVariable("LARDER_RUN") is { Length: > 0 } file ? TuneRunFile.Read(file) : RealRun.Read();
        string report = Path.Combine(folder.FullName, "report.html");
        await File.WriteAllTextAsync(report, RunReport.Of(run));
        await using Browser browser = await Browser.StartAsync();
        await using BrowserPage page = await browser.OpenAsync();
        await page.GoAsync(new Uri(report), dark: Environment.GetEnvironmentVariable("LARDER_DARK") is not null);
        foreach ((string? name, string? selector) in s_pictures)
        {
            if (selector is null || (bool)(await page.EvaluateAsync($"document.querySelector('{selector}') !== null"))!)
            {
                await File.WriteAllBytesAsync(Path.Combine(folder.FullName, name + ".png"), await page.PictureAsync(selector));
            }
        }

        File.Delete(report);
    }
}

/// <summary>Runs only where pictures are asked for.</summary>
internal sealed class PicturesFactAttribute : FactAttribute
{
    /// <summary>Names the folder.</summary>
    public const string Folder = "LARDER_PICTURES";

    public PicturesFactAttribute()
    {
        if (!File.Exists(Browser.Path) || string.IsNullOrEmpty(Environment.GetEnvironmentVariable(Folder)))
        {
            Skip = $"pictures are made only with {Folder}=folder, and {Browser.Path}";
        }
    }
}
