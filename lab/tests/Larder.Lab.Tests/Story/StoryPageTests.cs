using System.Text;
using Larder.Lab.Story;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Story;

public sealed class StoryPageTests
{
    private const int MaxBytes = 300 * 1024;
    private const string Hostile = "</script><script>x</script>|<img src=x>\n# \"&";

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Story_page_is_small_and_Markdown_contains_every_step(string client)
    {
        StoryRun run = SampleStory.Make(client);
        string page = StoryPage.Of(run);
        Assert.InRange(Encoding.UTF8.GetByteCount(page), 1, MaxBytes);
        string markdown = StoryMarkdown.Of(run);
        Assert.All(run.Steps, step =>
        {
            Assert.Contains($"<h2 id=\"{step.Id}\">", page, StringComparison.Ordinal);
            Assert.Contains(step.Title, markdown, StringComparison.Ordinal);
            Assert.All(StoryGraphs.Of(step), graph => Assert.Contains($"({client}/{graph.Id}.svg)", markdown, StringComparison.Ordinal));
        });
        Assert.Equal(4, page.Split("data-copies=").Length - 1);
    }

    [Fact]
    public void External_text_is_escaped_in_page_and_Markdown()
    {
        StoryRun run = SampleStory.Make("node");
        run = run with
        {
            Command = Hostile,
            Runtime = Hostile,
            Steps =
            [
                .. run.Steps.Select(step => step with
                {
                    Failure = Hostile,
                    Rows = [.. step.Rows.Select(row => row with { Name = Hostile, Published = new Published(Hostile) })],
                    Answers = [.. step.Answers.Select(answer => answer with { Sentence = Hostile, Code = Hostile })],
                }),
            ],
        };
        Assert.Equal(1, StoryPage.Of(run).Split("<script").Length - 1);
        Assert.DoesNotContain("<img", StoryPage.Of(run), StringComparison.Ordinal);
        string outsideOfCode = string.Concat(StoryMarkdown.Of(run).Split("```").Where((_, index) => index % 2 == 0));
        Assert.DoesNotContain("<img", outsideOfCode, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", outsideOfCode, StringComparison.Ordinal);
        Assert.DoesNotContain("\n# \"&", outsideOfCode, StringComparison.Ordinal);
    }

    [Fact]
    public void Failed_step_shows_reason_and_no_graph()
    {
        StoryStep step = SampleStory.Step("node", "channels", _ => SampleStory.Figures(1, 1)) with { Rows = [], Failure = "Skipped: the budget was used up." };
        StoryRun run = SampleStory.Make("node") with { Steps = [step], Interrupted = true };
        Assert.Empty(StoryGraphs.Of(step));
        Assert.Contains("Skipped: the budget was used up.", StoryPage.Of(run), StringComparison.Ordinal);
        Assert.Contains("Skipped: the budget was used up.", StoryMarkdown.Of(run), StringComparison.Ordinal);
        Assert.Contains("This run was interrupted after 1 experiment.", StoryMarkdown.Of(run), StringComparison.Ordinal);
    }

    [Fact]
    public void Unmeasured_row_is_marked_in_table()
    {
        StoryStep step = SampleStory.Step("dotnet", "connections", load => SampleStory.Figures(1_000, 100, failed: 0.1, connections: 3));
        step = step with { Rows = [step.Rows[0] with { Passes = [] }, .. step.Rows.Skip(1)] };
        (IReadOnlyList<string> headers, IReadOnlyList<IReadOnlyList<string>> rows) = StoryTables.Of(step);
        Assert.All(rows, row => Assert.Equal(headers.Count, row.Count));
        Assert.Equal("not measured", rows[0][1]);
        Assert.Equal(
            "101 callers, Grpc.Net.Client, no limit|1,000 (1,000–1,000)|100 µs (100 µs–100 µs)|1.00 ms (1.00 ms–1.00 ms)|10 %|2.00 ms|3|0.90|2 connections",
            string.Join('|', rows[3]));
    }

    [Fact]
    public void Story_round_trips_and_invalid_file_is_rejected()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-story-");
        try
        {
            StoryRun run = SampleStory.Make("python");
            IReadOnlyList<string> paths = StoryFiles.Write(run, folder.FullName, folder.FullName);
            Assert.All(paths, path => Assert.True(File.Exists(path)));
            Assert.Equal(3 + run.Steps.Sum(step => StoryGraphs.Of(step).Count), paths.Count);
            StoryRun read = StoryFiles.Read(paths[0]);
            Assert.Equal(StoryFiles.Json(run), StoryFiles.Json(read));
            Assert.Equal(StoryMarkdown.Of(run), StoryMarkdown.Of(read));
            string wrong = Path.Combine(folder.FullName, "wrong.json");
            string newer = File.ReadAllText(paths[0]).Replace("\"version\":1", "\"version\":2", StringComparison.Ordinal);
            foreach (string text in new[] { "", "null", "[]", "{}", "{\"version\":1}", newer })
            {
                File.WriteAllText(wrong, text);
                Assert.Throws<TunerException>(() => StoryFiles.Read(wrong));
            }

            Assert.Throws<TunerException>(() => StoryFiles.Read(Path.Combine(folder.FullName, "nothing.json")));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Committed_page_matches_committed_run(string client)
    {
        StoryRun run = StoryFiles.Read(Path.Combine(Programs.Root, "lab/results/story", client + ".json"));
        string folder = Path.Combine(Programs.Root, "docs/story");
        Assert.Equal(StoryMarkdown.Of(run), File.ReadAllText(Path.Combine(folder, client + ".md")));
        Assert.InRange(new FileInfo(Path.Combine(folder, client + ".html")).Length, 1, MaxBytes);
        string[] pictures = [.. run.Steps.SelectMany(StoryGraphs.Of).Select(graph => Path.Combine(folder, StoryMarkdown.PictureOf(run, graph)))];
        Assert.All(pictures, picture => Assert.True(File.Exists(picture), picture));
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Committed_run_names_existing_or_replaced_transports(string client)
    {
        StoryRun run = StoryFiles.Read(Path.Combine(Programs.Root, "lab/results/story", client + ".json"));
        Assert.Equal(["unary", "pipeline"], run.Transports.Select(each => each.Name));
        Assert.All(run.Transports, each => Assert.True(each.ReplacedBy is null == each.IsIn(Programs.Root), $"{each.Name}: {each.Source}"));
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void New_run_names_existing_transports(string client) =>
        Assert.All(MeasuredTransport.Of(client), each => Assert.True(each.IsIn(Programs.Root), each.Source));

    [Fact]
    public void Replaced_transport_is_marked_outdated_and_not_recommended()
    {
        MeasuredTransport current = new("unary", "an old library", "unary.ts");
        StoryRun run = SampleStory.Make("node") with { Transports = [current] };
        StoryRun outdated = run with { Transports = [current with { ReplacedBy = "a new one" }] };
        Assert.DoesNotContain("Outdated: the unary transport", StoryMarkdown.Of(run), StringComparison.Ordinal);
        Assert.Contains("Outdated: the unary transport", StoryMarkdown.Of(outdated), StringComparison.Ordinal);
        Assert.Contains("Outdated: the unary transport", StoryPage.Of(outdated), StringComparison.Ordinal);
        Assert.Equal(2, Recommendations(run) - Recommendations(outdated));

        static int Recommendations(StoryRun run) => run.Steps.Sum(step => StoryText.Recommended(run, step).Count());
    }

    [Fact]
    public void IsIn_returns_false_if_file_is_missing_or_lacks_marker()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory();
        try
        {
            File.WriteAllText(Path.Combine(folder.FullName, "unary.ts"), "import one");
            Assert.True(new MeasuredTransport("unary", "one", "unary.ts").IsIn(folder.FullName));
            Assert.True(new MeasuredTransport("unary", "one", "unary.ts") { Marker = "one" }.IsIn(folder.FullName));
            Assert.False(new MeasuredTransport("unary", "two", "unary.ts") { Marker = "two" }.IsIn(folder.FullName));
            Assert.False(new MeasuredTransport("unary", "one", "gone.ts").IsIn(folder.FullName));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
