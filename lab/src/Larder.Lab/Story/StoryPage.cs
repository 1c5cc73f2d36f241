using System.Text;
using Larder.Report;
using Larder.Report.Drawing;
using Larder.Report.Page;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>Formats the story as one self-contained HTML page.</summary>
internal static class StoryPage
{
    public static string Of(StoryRun run)
    {
        string title = StoryText.Title(run);
        var text = new StringBuilder();
        text.Append($"<header><p class=\"kind\">Larder, the tuning story</p><h1>{Html.Escape(title)}</h1><p class=\"lead\">{Html.Escape(StoryText.Lead)}</p>");
        text.Append("<nav aria-label=\"Steps\">")
            .AppendJoin('\n', run.Steps.Select(step => $"<a href=\"#{step.Id}\">{Html.Escape(step.Title)}</a>"))
            .Append("</nav></header>\n");
        string[] notes = [.. StoryText.Notes(run)];
        text.Append(notes.Length == 0 ? "" : List(notes)).Append($"<section><p>{Html.Escape(StoryText.Marks)}</p></section>\n");
        foreach ((StoryStep step, int index) in run.Steps.Select((step, index) => (step, index + 1)))
        {
            AppendStep(text, run, step, index);
        }

        text.Append("<section><h2>Where and how</h2>").Append(List(StoryText.Facts(run).Select(fact => fact[2..]))).Append("</section>\n");
        text.Append("<footer>Made by <code>larder lab story</code>.</footer>");
        return HtmlPage.Of(title, text.ToString());
    }

    private static void AppendStep(StringBuilder text, StoryRun run, StoryStep step, int number)
    {
        text.Append($"<section aria-labelledby=\"{step.Id}\"><h2 id=\"{step.Id}\">{number}. {Html.Escape(step.Title)}</h2>");
        text.Append($"<p class=\"verdict\">{Html.Escape(step.Question)}</p><p>{Html.Escape(step.Done)}</p>\n");
        if (step.Failure is { } failure)
        {
            text.Append($"<p class=\"verdict missed\">{Html.Escape(failure)}</p>\n");
        }

        IReadOnlyList<IGraph> graphs = StoryGraphs.Of(step);
        text.Append(PagePiece.Figures([.. graphs.Select(graph => (graph, ""))]));
        text.Append(step.Rows.Count == 0 ? "" : PagePiece.Panel(StoryTables.Of(step), step.Title));
        string[] sentences = [.. StoryFindings.Of(step, run).Append(StoryText.Stalls(step)).OfType<string>()];
        text.Append(sentences.Length == 0 ? "" : List(sentences));
        foreach ((StoryResult answer, int index) in StoryText.Recommended(run, step).Select((answer, index) => (answer, index)))
        {
            text.Append($"<p>{Html.Escape($"{answer.Transport}, {TargetText.Of(answer.Target)}")}</p>");
            text.Append(PagePiece.Code($"paste-{index}", ConfigurationCode.NameOf(run.Language), answer.Code!));
        }

        text.Append("</section>\n");
    }

    private static string List(IEnumerable<string> sentences) =>
        $"<ul class=\"notes\">{string.Concat(sentences.Select(sentence => $"<li>{Html.Escape(sentence)}</li>"))}</ul>\n";
}
