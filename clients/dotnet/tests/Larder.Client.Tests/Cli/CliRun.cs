using System.Text;

namespace Larder.Client.Tests.Cli;

/// <summary>The result of a run of the command line.</summary>
internal sealed record CliRun(int Code, byte[] Output, string Error)
{
    public string Text => Encoding.UTF8.GetString(Output);
}
