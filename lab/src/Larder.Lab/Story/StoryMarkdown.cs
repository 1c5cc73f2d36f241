using System.Text;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Lab.Story;

/// <summary>Formats the story as Markdown for the repository. The pictures are SVG files in a folder with the name of the language.</summary>
internal static class StoryMarkdown
{
    public static string Of(StoryRun run)
    {
        var text = new StringBuilder();
        text.Append($"# {StoryText.Title(run)}\n\n{StoryText.Lead}\n\n{StoryText.Marks}\n\n");
        foreach (string note in StoryText.Notes(run))
        {
            text.Append($"**{MarkdownTable.Cell(note)}**\n\n");
        }

        foreach ((StoryStep step, int index) in run.Steps.Select((step, index) => (step, index + 1)))
        {
            AppendStep(text, run, step, index);
        }

        text.Append("## Environment\n\n").AppendJoin('\n', StoryText.Facts(run).Select(MarkdownTable.Cell));
        return text.Append('\n').ToString();
    }

    /// <summary>Returns the path of a picture, relative to the folder of the Markdown file.</summary>
    public static string PictureOf(StoryRun run, IGraph graph) => $"{run.Language}/{graph.Id}.svg";

    private static void AppendStep(StringBuilder text, StoryRun run, StoryStep step, int number)
    {
        text.Append($"## {number}. {step.Title}\n\n*{MarkdownTable.Cell(step.Question)}*\n\n{MarkdownTable.Cell(step.Done)}\n\n");
        if (step.Failure is { } failure)
        {
            text.Append($"**{MarkdownTable.Cell(failure)}**\n\n");
        }

        if (step.Rows.Count > 0)
        {
            text.Append(MarkdownTable.Table(StoryTables.Of(step))).Append('\n');
        }

        string[] pictures = [.. StoryGraphs.Of(step).Select(graph => $"![{MarkdownTable.Cell(graph.Title)}]({PictureOf(run, graph)})")];
        if (pictures.Length > 0)
        {
            text.AppendJoin(' ', pictures).Append("\n\n");
        }

        foreach (string sentence in StoryFindings.Of(step, run).Append(StoryText.Stalls(step)).OfType<string>())
        {
            text.Append($"- {MarkdownTable.Cell(sentence)}\n");
        }

        foreach (StoryResult answer in StoryText.Recommended(run, step))
        {
            text.Append($"\n{answer.Transport}, {MarkdownTable.Cell(TargetText.Of(answer.Target))}:\n\n```\n{answer.Code!.TrimEnd()}\n```\n");
        }

        text.Append('\n');
    }
}
