using System.CommandLine;

namespace Larder.Cli;

/// <summary>The command that prints a shell's completion script for larder.</summary>
internal static class CompletionsCommand
{
    public static Command Create()
    {
        Argument<string> shell = new("shell") { Description = "bash, zsh or fish" };
        shell.AcceptOnlyFromAmong("bash", "zsh", "fish");
        ExampleCommand command = new(
            "completions",
            "Prints a script that completes larder's commands and options in a shell",
            "larder completions bash > ~/.local/share/bash-completion/completions/larder",
            "larder completions zsh > ~/.zfunc/_larder",
            "larder completions fish > ~/.config/fish/completions/larder.fish")
        {
            shell,
        };
        command.SetAction(parsed =>
        {
            IReadOnlyList<CompletionRow> rows = CompletionRow.Of((RootCommand)parsed.RootCommandResult.Command);
            return Output.Say(parsed.GetValue(shell) switch
            {
                "bash" => CompletionScripts.Bash(rows),
                "zsh" => CompletionScripts.Zsh(rows),
                _ => CompletionScripts.Fish(rows),
            });
        });
        return command;
    }
}
