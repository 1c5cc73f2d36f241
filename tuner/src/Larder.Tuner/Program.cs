using Larder.Tuner;
using Larder.Tuner.Bench;
using Larder.Tuner.Quickstart;
using Larder.Tuner.Tune;

return await CommandProgram.RunAsync("Larder's load generator and tuner.", args, BenchCommand.Create(), TuneCommand.Create(), QuickstartCommand.Create());
