using System.CommandLine;
using Larder.Report.Runs;
using Larder.Tuner.Processes;

namespace Larder.Lab.Story;

/// <summary>The command <c>larder lab story</c>: runs the published tuning experiments and compares the results with the published ones.</summary>
internal static class StoryCommand
{
    private static readonly Option<string> s_client = new("--client") { Description = "Client: dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<string> s_budget = new("--budget")
    {
        Description = "Maximum duration of the run, 20s to 3600s; steps that do not fit are skipped. The step \"targets\" takes at least 80s.",
        DefaultValueFactory = _ => DurationText.Of(StoryOptions.UsualBudget),
    };
    private static readonly Option<string?> s_steps = new("--steps") { Description = $"Steps to run, comma-separated: {string.Join(", ", StoryPlan.Ids)}." };
    private static readonly Option<double?> s_seconds = new("--seconds")
    {
        Description = "Measured seconds per load, 0.1 to 600. The default is an even share of the budget.",
    };
    private static readonly Option<int> s_most = new("--most")
    {
        Description = "Maximum number of callers, 1 to 100,000.",
        DefaultValueFactory = _ => 5_000,
    };
    private static readonly Option<int> s_passes = new("--passes")
    {
        Description = "Passes over the loads of each step, 1 to 20. Fewer passes are made if the budget is used up.",
        DefaultValueFactory = _ => 2,
    };
    private static readonly Option<double> s_noise = new("--noise-limit")
    {
        Description = "Maximum number of processors that other programs may use. Rows are marked if other programs used more.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<FileInfo?> s_from = new("--from") { Description = "Generate the page from this JSON file of a run, without measuring." };
    private static readonly Option<bool> s_publish = new("--publish")
    {
        Description = "Write the page and its graphs to docs/story, and the run to lab/results/story, so that they can be committed. An interrupted run is "
            + "written to --output.",
    };
    private static readonly Option<DirectoryInfo?> s_output = new("--output")
    {
        Description = "Output folder. The default is larder-story in the current folder.",
    };

    public static Command Create()
    {
        var command = new Command(
            "story",
            "Runs the published tuning experiments and writes a page that compares the results with the published ones. Ctrl+C writes the finished steps. "
                + "Exit codes: 0 success; 2 invalid command; 4 a required program is missing or failed; 130 interrupted.")
        {
            s_client,
            s_budget,
            s_steps,
            s_seconds,
            s_most,
            s_passes,
            s_noise,
            s_from,
            s_publish,
            s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => RunAsync(arguments)));
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        string folder = arguments.GetValue(s_output)?.FullName ?? Path.GetFullPath("larder-story");
        bool publishes = arguments.GetValue(s_publish);
        if (arguments.GetValue(s_from) is { } file)
        {
            Write(StoryFiles.Read(file.FullName), folder, publishes);
            return 0;
        }

        StoryOptions options = Read(arguments);
        if (!publishes)
        {
            OutputCheck.RequireFolder(folder);
        }

        var telling = new StoryRunner(options, Console.Error, TimeProvider.System);
        Interruption.Keep = () => Write(telling.SoFar with { Interrupted = true }, folder, publishes: false);
        StoryRun run = await telling.TellAsync().ConfigureAwait(false);
        Interruption.Keep = null;
        Write(run, folder, publishes);
        return run.Steps.All(step => step.Rows.Any(row => row.Passes.Count > 0) || step.Answers.Count > 0) ? 0 : 4;
    }

    private static void Write(StoryRun run, string folder, bool publishes)
    {
        if (publishes)
        {
            string root = Programs.Root;
            Say(StoryFiles.Write(run, Path.Combine(root, "lab/results/story"), Path.Combine(root, "docs/story")));
            return;
        }

        Say(StoryFiles.Write(run, folder, folder));
    }

    private static void Say(IEnumerable<string> paths)
    {
        foreach (string path in paths.Where(path => !path.EndsWith(".svg", StringComparison.Ordinal)))
        {
            Console.WriteLine(path);
        }
    }

    private static StoryOptions Read(ParseResult arguments)
    {
        var options = new StoryOptions
        {
            Client = CommandLine.OneOf(arguments.GetValue(s_client)!, s_client.Name, Agents.Clients),
            Budget = DurationText.Parse(arguments.GetValue(s_budget)!, s_budget.Name),
            Steps = arguments.GetValue(s_steps) is { } steps
                ? [.. CommandLine.List(steps).Select(step => CommandLine.OneOf(step, s_steps.Name, StoryPlan.Ids))]
                : null,
            Seconds = arguments.GetValue(s_seconds),
            Most = arguments.GetValue(s_most),
            Passes = arguments.GetValue(s_passes),
            NoiseLimit = arguments.GetValue(s_noise),
            Command = CommandLine.Typed(s_output.Name),
        };
        Check(options.Budget.TotalSeconds is >= 20 and <= 3600, "--budget must be 20s to 3600s");
        Check(options.Seconds is null or (>= 0.1 and <= 600), "--seconds must be 0.1 to 600");
        Check(options.Most is >= 1 and <= 100_000, "--most must be 1 to 100,000");
        Check(options.Passes is >= 1 and <= 20, "--passes must be 1 to 20");
        Check(options.NoiseLimit > 0, "--noise-limit must be greater than 0");
        Check(StoryPlan.Of(options).Count > 0, $"--steps must contain at least one step for {options.Client}");
        return options;
    }

    private static void Check(bool holds, string rule)
    {
        if (!holds)
        {
            throw new FormatException(rule);
        }
    }
}
