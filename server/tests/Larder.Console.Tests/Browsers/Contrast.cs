using System.Text.Json.Nodes;

namespace Larder.Console.Tests.Browsers;

/// <summary>Checks the contrast of all visible text.</summary>
internal static class Contrast
{
    // Collects every visible text whose contrast with its background is below 4.5, the minimum of WCAG 2.2 for text of normal size.
    private const string Faint =
        """
        (() => {
          const parse = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
          const light = (colour) => {
            const [r, g, b] = colour.slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const behind = (element) => {
            for (let one = element; one; one = one.parentElement) {
              const colour = parse(getComputedStyle(one).backgroundColor);
              if (colour.length === 3 || colour[3] > 0) return colour;
            }
            return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
          };
          const faint = [];
          let seen = 0;
          for (const element of document.querySelectorAll('body *')) {
            const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
            if (!hasText || !element.checkVisibility() || element.disabled) continue;
            seen++;
            const style = getComputedStyle(element);
            const [a, b] = [light(parse(element instanceof SVGElement ? style.fill : style.color)), light(behind(element))];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < 4.5) faint.push(`${element.tagName} ${element.textContent.slice(0, 30)} ${contrast.toFixed(2)}`);
          }
          return seen < 10 ? ['too few texts'] : faint;
        })()
        """;

    /// <summary>Asserts that no text has too little contrast in the current colour scheme.</summary>
    public static async Task AssertLegibleAsync(ConsolePage page)
    {
        JsonArray faint = (await page.EvaluateAsync(Faint))!.AsArray();
        string colours = (string)(await page.EvaluateAsync("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"))!;
        Assert.True(faint.Count == 0, $"{colours}: {faint.ToJsonString()}");
    }
}
