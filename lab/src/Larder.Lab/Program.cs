using System.CommandLine;
using Larder.Lab.Adaptive;
using Larder.Lab.Attackers;
using Larder.Lab.Ceiling;
using Larder.Lab.Cost;
using Larder.Lab.Fleet;
using Larder.Lab.Known;
using Larder.Lab.Near;
using Larder.Lab.Neighbours;
using Larder.Lab.Soak;
using Larder.Lab.Story;
using Larder.Lab.Tokens;
using Larder.Lab.Topics;
using Larder.Tuner;

var lab = new Command("lab", "Runs experiments with Larder, and long tests under attacks, faults and load.")
{
    AdaptiveCommand.Create(),
    AttackersCommand.Create(),
    CostCommand.Create(),
    FleetCommands.Faults(),
    FleetCommands.Soak(),
    FloorCommand.Create(),
    AnalyticCommand.Create(),
    AnalyticServerCommand.Create(),
    NearCommand.Create(),
    NeighbourCommand.Create(),
    CeilingCommand.Create(),
    RepeatCommand.Create(),
    SoakCommand.Create(),
    StoryCommand.Create(),
    TokenCostCommand.Create(),
    TopicBenchCommand.Create(),
};
return await CommandProgram.RunAsync("Runs experiments with Larder.", args, lab);
