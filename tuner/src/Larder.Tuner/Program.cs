using System.CommandLine;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;
using Larder.Tuner.Quickstart;

var root = new RootCommand("Larder's load generator and tuner.") { BenchCommand.Create(), QuickstartCommand.Create() };
try
{
    return await root.Parse(args).InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false });
}
catch (TunerException failed)
{
    Console.Error.WriteLine(failed.Message);
    return 1;
}
catch (Exception defect) when (defect is not OperationCanceledException)
{
    // Caught, so that the programs started are ended by the blocks that own them.
    Console.Error.WriteLine(defect);
    return 70;
}
