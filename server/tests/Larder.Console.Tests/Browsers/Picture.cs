namespace Larder.Console.Tests.Browsers;

/// <summary>
/// Takes the screenshots for the guide. The screenshots are written only if the environment variable <c>LARDER_CONSOLE_PICTURES</c> contains the path of a
/// folder, such as <c>docs/pictures</c>.
/// </summary>
internal static class Picture
{
    private const string Variable = "LARDER_CONSOLE_PICTURES";
    private const int Width = 1000;

    /// <summary>Takes a screenshot of the whole page.</summary>
    public static async Task TakeAsync(ConsolePage page, string view, int width = Width, bool dark = false)
    {
        await page.ResizeAsync(width, dark);
        byte[] png = await page.Tab.PictureAsync("body", margin: 0);
        Assert.Equal([0x89, 0x50, 0x4e, 0x47], png[..4]);
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } folder)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, $"console-{view}.png"), png);
        }
    }
}
