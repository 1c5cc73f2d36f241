using System.CommandLine;
using System.CommandLine.Invocation;

namespace Larder.Cli;

/// <summary>Prints the help of System.CommandLine, then the command's examples.</summary>
internal sealed class ExampleHelp(SynchronousCommandLineAction help) : SynchronousCommandLineAction
{
    // If the user requests help, errors such as missing arguments are ignored.
    public override bool ClearsParseErrors => help.ClearsParseErrors;

    public override int Invoke(ParseResult parseResult)
    {
        int code = help.Invoke(parseResult);
        if (parseResult.CommandResult.Command is ExampleCommand { Examples: { Count: > 0 } examples })
        {
            TextWriter output = parseResult.InvocationConfiguration.Output;
            output.WriteLine(examples.Count == 1 ? "Example:" : "Examples:");
            foreach (string example in examples)
            {
                output.WriteLine($"  {example}");
            }

            output.WriteLine();
        }

        return code;
    }
}
